import { atMostEvery } from './at-most-every.ts'
import { createDeclarations } from './declarations.ts'
import { appStart, appStop, type HookToken, hook } from './hook.ts'
import type { Log } from './log.ts'
import type { Plugin } from './plugin.ts'
import { createRoster, type FailedPlugin, type PluginStatus, type Roster } from './roster.ts'
import { createRun, PhaseFailure, type RunOptions } from './run.ts'
import { runningPlugin } from './running-plugin.ts'
import type { ServiceToken } from './service.ts'
import type { Disabled } from './start-order.ts'
import { StartupError } from './startup-error.ts'

export interface KernelOptions {
  /** In the order in which a reader should meet them; the start order follows from what they use. */
  readonly plugins: readonly Plugin[]
  readonly log: Log
  /** Each plugin's section of the project config, by plugin name. */
  readonly pluginConfig?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Disabled plugins, each with the reason that lists show. */
  readonly disabled?: Disabled
  /** Plugins whose failure stops the start; any other plugin that fails is switched off instead. */
  readonly isEssential?: (plugin: Plugin) => boolean
  /** How long one phase of one plugin may take without reporting progress. */
  readonly phaseTimeoutMs?: number
  /** The same for non-essential plugins. */
  readonly guestPhaseTimeoutMs?: number
}

export interface Kernel {
  /**
   * Runs all phases and emits `app:start`. If a non-essential plugin fails, it is switched off together with
   * the plugins that need it, and the start begins again from scratch, so that nothing it contributed remains
   * in what other plugins compiled.
   * @throws StartupError naming plugin and phase; everything started so far is stopped again
   */
  start(): Promise<void>
  /**
   * Emits `app:stop` if `app:start` was emitted, then undoes the start in reverse order; aborts a start in
   * progress. Never rejects; safe to call twice.
   */
  stop(): Promise<void>
  /**
   * For listeners of the process's `uncaughtException` and `unhandledRejection`: an error in code that runs as a plugin
   * (`runAsPlugin`) fails that plugin if the service is starting, and is reported under its name afterwards.
   * @returns false if it is an error of the service itself, which may then be in any state
   */
  takeUnhandled(error: unknown): boolean
  /** A provided service, for entry points and tests; plugins receive theirs as `services`. */
  get<T>(token: ServiceToken<T>): T
  /** All plugins, active ones first, in start order. */
  plugins(): readonly PluginStatus[]
}

/**
 * A third-party plugin failed, or needs one that failed, and was switched off. Emitted after `app:start`,
 * once per plugin.
 */
export const pluginFailed: HookToken<FailedPlugin> = hook('kernel:pluginFailed')

/** An error that a third-party plugin has thrown, and where. */
export interface ErredPlugin {
  readonly plugin: string
  /** What threw, in a few words: `the route seo:entry.check`. */
  readonly where: string
  readonly error: unknown
}

/**
 * A third-party plugin threw an unexpected error while the service was running. It stays on. Not emitted for
 * every error.
 */
export const pluginErred: HookToken<ErredPlugin> = hook('kernel:pluginErred')

/** The names of all plugins that started successfully. Emitted after `app:start`. */
export const pluginsStarted: HookToken<{ readonly plugins: readonly string[] }> =
  hook('kernel:pluginsStarted')

/** A timer that throws again and again must not flood the log and the alerts. */
const unhandledReportEveryMs = 60_000

const kernelHooks = [appStart, appStop, pluginFailed, pluginErred, pluginsStarted]

const defaultPhaseTimeoutMs = 60_000
/** How long a service may take to stop altogether (docs/deployment.md). */
const stopTimeoutMs = 10_000
/** Leaves the core time to shut down cleanly even if several plugins hang. */
const guestStopTimeoutMs = 1_000

/** Creates a kernel that has not started. @throws StartupError if the plugins do not fit together */
export function createKernel(options: KernelOptions): Kernel {
  const roster = createRoster({
    all: options.plugins,
    off: options.disabled ?? new Map(),
    isEssential: options.isEssential ?? (() => true),
    log: options.log,
  })
  const prepareRun = () => createRun(runOptions(roster, options))
  let run = prepareRun()
  const reports = new Map<string, () => boolean>()
  let isStarted = false
  let isUp = false
  let isStopping = false

  async function start() {
    if (isStarted) throw new Error('a kernel starts only once; make another one')
    isStarted = true
    while (!(await attemptStart())) run = prepareRun()
    isUp = true
    for (const failure of roster.failures) await run.emit(pluginFailed, failure)
    await run.emit(pluginsStarted, { plugins: roster.active().map(({ name }) => name) })
  }

  async function attemptStart(): Promise<boolean> {
    try {
      await run.start()
      return true
    } catch (error) {
      await run.stop()
      if (!(error instanceof PhaseFailure)) throw error
      if (isStopping || !roster.switchOffFailed(error)) throw startupError(error)
      return false
    }
  }

  function takeUnhandled(error: unknown): boolean {
    const plugin = runningPlugin()
    if (plugin === undefined) return false
    // What a plugin has begun may go on after it was switched off.
    if (isUp || isStopping || roster.switchedOff().has(plugin)) reportUnhandled(plugin, error)
    else run.fail(plugin, error)
    return true
  }

  function reportUnhandled(plugin: string, error: unknown) {
    const isDue = reports.get(plugin) ?? atMostEvery(unhandledReportEveryMs)
    reports.set(plugin, isDue)
    if (!isDue()) return
    const where = 'something in the background'
    options.log.error({ plugin, err: error }, `${where} of the plugin ${plugin} threw an error`)
    if (isUp) void run.emit(pluginErred, { plugin, where, error })
  }

  return {
    start,
    takeUnhandled,
    stop() {
      isStopping = true
      return run.stop()
    },
    get<T>(token: ServiceToken<T>): T {
      if (!run.services.has(token.id)) throw new Error(`no active plugin provides the service ${token.id}`)
      return run.services.get(token.id) as T
    },
    plugins: () => roster.list(),
  }
}

/** Non-essential plugins have time limits of their own. */
function runOptions(roster: Roster, options: KernelOptions): RunOptions {
  const plugins = roster.active()
  const { log, pluginConfig = {}, isEssential = () => true } = options
  const { phaseTimeoutMs = defaultPhaseTimeoutMs, guestPhaseTimeoutMs = phaseTimeoutMs } = options
  const guests = new Set(plugins.filter((plugin) => !isEssential(plugin)).map(({ name }) => name))
  const switchedOff = roster.switchedOff()
  return {
    plugins,
    declarations: createDeclarations({
      plugins: [...plugins, ...options.plugins],
      switchedOff: switchedOff.keys(),
      common: kernelHooks,
    }),
    log,
    pluginConfig,
    switchedOff,
    switchedOn: new Set(plugins.map(({ name }) => name)),
    timeoutMsOf: (name) => (guests.has(name) ? guestPhaseTimeoutMs : phaseTimeoutMs),
    stopTimeoutMsOf: (name) => (guests.has(name) ? guestStopTimeoutMs : stopTimeoutMs),
  }
}

function startupError({ plugin, message, cause }: PhaseFailure): StartupError {
  if (cause instanceof StartupError) return cause
  return new StartupError('The service could not start:', [{ subject: `plugin ${plugin}`, message }], cause)
}
