import {
  type Awaitable,
  atMostEvery,
  isPromise,
  type Next,
  orElse,
  type PluginContext,
  PluginFault,
  pluginErred,
  runAsPlugin,
  runAsService,
  type Stage,
} from '../../../kernel/index.ts'
import { asAppError } from '../../foundation/http/http.ts'

/** Reports that a part of a plugin threw an unexpected error. */
export interface ErrorReport {
  (where: string, error: unknown): void
  /** The plugin whose errors it reports. */
  readonly plugin: string
}

/** An error on every request must not flood the log and the alerts. */
const everyMs = 60_000

/** Reports the first error at once, then one a minute; errors meant for clients are not reported. */
export function createErrorReport({
  name,
  log,
  emit,
}: Pick<PluginContext, 'name' | 'log' | 'emit'>): ErrorReport {
  const isDue = atMostEvery(everyMs)
  const report = (where: string, error: unknown) => {
    if (asAppError(error).code !== 'INTERNAL_ERROR' || !isDue()) return
    log.error({ plugin: name, err: error }, `${where} of the plugin ${name} threw an error`)
    void emit(pluginErred, { plugin: name, where, error })
  }
  return Object.assign(report, { plugin: name })
}

/**
 * Wraps a stage: errors of its own are reported under its plugin's name, but not those that pass through from
 * `next`.
 */
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
        runAsService(next).catch((error) => {
          passed = error
          throw error
        })
      try {
        return await runAsPlugin(plugin, async () => stage.run(context, watched))
      } catch (error) {
        if (error !== passed) report(`the middleware ${name}`, error)
        throw error
      }
    },
  }
}

/** Runs a task of a plugin while the service starts. @throws PluginFault blaming the plugin if it throws */
export function blame<T>(plugin: string, task: () => T): T {
  try {
    return task()
  } catch (error) {
    throw error instanceof PluginFault ? error : new PluginFault(plugin, error)
  }
}

/** Wraps a function of a plugin that is called while the service starts; see `blame`. */
export function blamedCall<Arguments extends unknown[], T>(
  plugin: string,
  call: (...values: Arguments) => T,
): (...values: Arguments) => T {
  return (...values) => blame(plugin, () => call(...values))
}

/** Wraps a handler or listener: reports what it throws; synchronous results stay synchronous. */
export function reportedCall<Arguments extends unknown[], T>(
  where: string,
  call: (...values: Arguments) => T,
  report: ErrorReport,
): (...values: Arguments) => T {
  const rethrow = (error: unknown): never => {
    report(where, error)
    throw error
  }
  return (...values) => orElse(() => runAsPlugin(report.plugin, () => call(...values)), rethrow) as T
}

/**
 * Wraps a function whose failure its caller could not handle: unexpected errors are reported, and it returns
 * undefined.
 */
export function reportedInstead<Arguments extends unknown[], T>(
  where: string,
  call: (...values: Arguments) => Awaitable<T>,
  report: ErrorReport,
): (...values: Arguments) => Awaitable<T | undefined> {
  const refuse = (error: unknown): undefined => {
    if (asAppError(error).code !== 'INTERNAL_ERROR') throw error
    report(where, error)
  }
  return (...values) => orElse(() => runAsPlugin(report.plugin, () => call(...values)), refuse)
}

/** How long callers wait for a plugin's function. */
export interface Patience {
  readonly where: string
  readonly limitMs: number
  readonly report: ErrorReport
}

/**
 * Wraps a function so that callers wait no longer than the limit; it then continues in the background, which
 * is reported.
 */
export function reportedWithin<Arguments extends unknown[]>(
  { where, limitMs, report }: Patience,
  call: (...values: Arguments) => unknown,
): (...values: Arguments) => unknown {
  return (...values) => {
    const answer = call(...values)
    if (!isPromise(answer)) return answer
    const { promise: timeUp, cancel } = waitFor(limitMs, () =>
      report(where, new Error(`it took longer than ${limitMs} ms; the service continued without it`)),
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
