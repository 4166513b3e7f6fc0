import { type Next, type PluginContext, PluginFault, pluginErred, type Stage } from '../../kernel/index.ts'
import { asAppError } from '../http/http.ts'

/** Says that something of a plugin has thrown what it should not. */
export type ErrorReport = (where: string, error: unknown) => void

/** One that is called by every request must not fill the log and the alerts. */
const everyMs = 60_000

/** Tells of the first error at once, and of one a minute from then on; what is meant for clients is none. */
export function createErrorReport({
  name,
  log,
  emit,
}: Pick<PluginContext, 'name' | 'log' | 'emit'>): ErrorReport {
  let toldAtMs = Number.NEGATIVE_INFINITY
  return (where, error) => {
    if (asAppError(error).code !== 'INTERNAL_ERROR' || performance.now() - toldAtMs < everyMs) return
    toldAtMs = performance.now()
    log.error({ plugin: name, err: error }, `${where} of the plugin ${name} threw an error`)
    void emit(pluginErred, { plugin: name, where, error })
  }
}

/** The stage, but that its plugin is named where it throws by itself; what comes out of `next` is not its fault. */
export function reported<Target, Context, Result>(
  plugin: string,
  stage: Stage<Target, Context, Result>,
  report: ErrorReport,
): Stage<Target, Context, Result> {
  const { name, order } = stage
  return {
    name,
    ...(order === undefined ? {} : { order }),
    matches: (target) => blame(plugin, () => stage.matches(target)),
    async run(context, next) {
      let passed: unknown
      const watched: Next<Result> = () =>
        next().catch((error) => {
          passed = error
          throw error
        })
      try {
        return await stage.run(context, watched)
      } catch (error) {
        if (error !== passed) report(`the middleware ${name}`, error)
        throw error
      }
    },
  }
}

function blame<T>(plugin: string, task: () => T): T {
  try {
    return task()
  } catch (error) {
    throw new PluginFault(plugin, error)
  }
}

/** A handler or listener that reports what it throws; what answers at once still does. */
export function reportedCall<Arguments extends unknown[], T>(
  where: string,
  call: (...values: Arguments) => T,
  report: ErrorReport,
): (...values: Arguments) => T {
  return (...values) => {
    try {
      const answer = call(...values)
      if (answer instanceof Promise) answer.catch((error) => report(where, error))
      return answer
    } catch (error) {
      report(where, error)
      throw error
    }
  }
}
