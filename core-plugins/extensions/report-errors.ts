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

/** Does a task of a plugin while the service starts. @throws PluginFault naming the plugin if it throws */
export function blame<T>(plugin: string, task: () => T): T {
  try {
    return task()
  } catch (error) {
    throw error instanceof PluginFault ? error : new PluginFault(plugin, error)
  }
}

/** A function of a plugin that is called while the service starts; see `blame`. */
export function blamedCall<Arguments extends unknown[], T>(
  plugin: string,
  call: (...values: Arguments) => T,
): (...values: Arguments) => T {
  return (...values) => blame(plugin, () => call(...values))
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

/** A function whose failure its caller could not bear: what it throws unforeseen is reported, and it answers nothing. */
export function reportedInstead<Arguments extends unknown[], T>(
  where: string,
  call: (...values: Arguments) => T | Promise<T>,
  report: ErrorReport,
): (...values: Arguments) => T | undefined | Promise<T | undefined> {
  const refuse = (error: unknown): undefined => {
    if (asAppError(error).code !== 'INTERNAL_ERROR') throw error
    report(where, error)
  }
  return (...values) => {
    try {
      const answer = call(...values)
      return answer instanceof Promise ? answer.catch(refuse) : answer
    } catch (error) {
      return refuse(error)
    }
  }
}

/** How long others wait for a function of a plugin. */
export interface Patience {
  readonly where: string
  readonly limitMs: number
  readonly report: ErrorReport
}

/** The function, but that it is waited for no longer than the limit; it goes on by itself then, and that is reported. */
export function reportedWithin<Arguments extends unknown[]>(
  { where, limitMs, report }: Patience,
  call: (...values: Arguments) => unknown,
): (...values: Arguments) => unknown {
  return (...values) => {
    const answer = call(...values)
    if (!(answer instanceof Promise)) return answer
    const { promise: timeUp, cancel } = waitFor(limitMs, () =>
      report(where, new Error(`it took longer than ${limitMs} ms; the service went on without it`)),
    )
    return Promise.race([answer.finally(cancel), timeUp])
  }
}

function waitFor(limitMs: number, onTimeUp: () => void) {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onTimeUp()
      resolve()
    }, limitMs)
  })
  return { promise, cancel: () => clearTimeout(timer) }
}
