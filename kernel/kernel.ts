import { type HookToken, hook } from './hook.ts'
import type { Log } from './log.ts'
import type { Plugin } from './plugin.ts'
import { createRun, PhaseFailure } from './run.ts'
import type { ServiceToken } from './service.ts'
import { type Disabled, dependentsOf, type OrderProblem, startOrder } from './start-order.ts'
import { describeProblem, StartupError } from './startup-error.ts'

export interface KernelOptions {
  /** In the order in which a reader should meet them; the start order follows from what they use. */
  readonly plugins: readonly Plugin[]
  readonly log: Log
  /** Each plugin's part of the project config, by its name. */
  readonly pluginConfig?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Plugins that are switched off, each with the reason that lists show. */
  readonly disabled?: Disabled
  /** Whose failure stops the start; a failing plugin of any other name is switched off instead. */
  readonly isEssential?: (plugin: Plugin) => boolean
  /** How long one phase of one plugin may take without telling of its progress. */
  readonly phaseTimeoutMs?: number
  /** The same for plugins that are not essential. */
  readonly guestPhaseTimeoutMs?: number
}

/** A plugin as lists show it. */
export interface PluginStatus {
  readonly name: string
  readonly description: string
  readonly active: boolean
  /** Why it is not active. */
  readonly reason?: string
}

export interface Kernel {
  /**
   * Runs all phases and tells `app:start`. A plugin that fails without being essential is switched off
   * with those that need it, and the start begins anew without them: nothing of it is left in what other
   * plugins compiled.
   * @throws StartupError naming plugin and phase; everything started so far is stopped again
   */
  start(): Promise<void>
  /**
   * Tells `app:stop` if `app:start` was told, then undoes the start in reverse order; a start that still
   * runs is broken off. Never rejects; safe to call twice.
   */
  stop(): Promise<void>
  /** A provided service; for entry points and tests, plugins get theirs as `services`. */
  get<T>(token: ServiceToken<T>): T
  /** All plugins, the active ones in start order. */
  plugins(): readonly PluginStatus[]
}

export interface FailedPlugin {
  readonly plugin: string
  readonly reason: string
}

/** A third-party plugin failed, or needs one that did, and was switched off. Told after `app:start`, of each. */
export const pluginFailed: HookToken<FailedPlugin> = hook('kernel:pluginFailed')

export interface ErredPlugin {
  readonly plugin: string
  /** What of it has thrown, in a few words: `the route seo:entry.check`. */
  readonly where: string
  readonly error: unknown
}

/** A third-party plugin threw an error that it should not while the service runs. It stays on. Not told of each one. */
export const pluginErred: HookToken<ErredPlugin> = hook('kernel:pluginErred')

/** The names of all plugins that have started well. Told after `app:start`. */
export const pluginsStarted: HookToken<{ readonly plugins: readonly string[] }> =
  hook('kernel:pluginsStarted')

const defaultPhaseTimeoutMs = 60_000
/** What a service may take to stop as a whole (decisions.md, 1). */
const stopTimeoutMs = 10_000
/** So that several plugins that hang leave the core its time to end cleanly. */
const guestStopTimeoutMs = 1_000

/** Makes a kernel that has not started. @throws StartupError if the plugins do not fit together */
export function createKernel(options: KernelOptions): Kernel {
  const { log, pluginConfig = {}, isEssential = () => true } = options
  const isGuest = (plugin: Plugin) => !isEssential(plugin)
  const { phaseTimeoutMs = defaultPhaseTimeoutMs, guestPhaseTimeoutMs = phaseTimeoutMs } = options
  const off = new Map(options.disabled)
  const failures: FailedPlugin[] = []
  const sequence = fitTogether()
  let run = prepareRun()
  let isStarted = false
  let isStopping = false

  /** Leaves out plugins that are not essential where that lets the others start. */
  function fitTogether(): readonly Plugin[] {
    for (;;) {
      const { plugins, problems } = startOrder(options.plugins, off)
      if (problems.length === 0) return plugins
      const solvable = problems.map((problem) => ({ problem, culprit: problem.culprits.findLast(isGuest) }))
      if (solvable.some(({ culprit }) => culprit === undefined)) {
        const told = problems.map(({ culprits: _, ...problem }) => problem)
        throw new StartupError('The plugins do not fit together:', told)
      }
      for (const { problem, culprit } of solvable) {
        if (culprit !== undefined) switchOff(culprit.name, reasonOf(problem, culprit))
      }
    }
  }

  function switchOff(plugin: string, reason: string, err?: unknown) {
    if (off.has(plugin)) return
    off.set(plugin, reason)
    failures.push({ plugin, reason })
    log.error({ plugin, err }, `${plugin} ${reason}; it is switched off`)
  }

  function prepareRun() {
    const plugins = sequence.filter((plugin) => !off.has(plugin.name))
    const guests = new Set(plugins.filter(isGuest).map(({ name }) => name))
    return createRun({
      plugins,
      log,
      pluginConfig,
      timeoutMsOf: (name) => (guests.has(name) ? guestPhaseTimeoutMs : phaseTimeoutMs),
      stopTimeoutMsOf: (name) => (guests.has(name) ? guestStopTimeoutMs : stopTimeoutMs),
    })
  }

  async function start() {
    if (isStarted) throw new Error('a kernel starts only once; make another one')
    isStarted = true
    while (!(await attemptStart())) run = prepareRun()
    for (const failure of failures) await run.emit(pluginFailed, failure)
    const plugins = sequence.filter(({ name }) => !off.has(name)).map(({ name }) => name)
    await run.emit(pluginsStarted, { plugins })
  }

  async function attemptStart(): Promise<boolean> {
    try {
      await run.start()
      return true
    } catch (error) {
      await run.stop()
      if (!(error instanceof PhaseFailure)) throw error
      if (isStopping) throw startupError(error)
      switchOffFailed(error)
      return false
    }
  }

  function switchOffFailed(failure: PhaseFailure) {
    const { plugin: name, message: reason, cause } = failure
    const dependents = dependentsOf(name, sequence)
    const lost = sequence.filter((plugin) => plugin.name === name || dependents.has(plugin.name))
    if (lost.length === 0 || lost.some(isEssential)) throw startupError(failure)
    switchOff(name, reason, cause)
    for (const plugin of dependents) switchOff(plugin, `needs ${name}, which ${reason}`)
  }

  return {
    start,
    stop() {
      isStopping = true
      return run.stop()
    },
    get<T>(token: ServiceToken<T>): T {
      if (!run.services.has(token)) throw new Error(`no active plugin provides the service ${token.id}`)
      return run.services.get(token) as T
    },
    plugins: () => listPlugins(sequence, options.plugins, off),
  }
}

function listPlugins(sequence: readonly Plugin[], all: readonly Plugin[], off: Disabled): PluginStatus[] {
  const rest = all.filter((plugin) => !sequence.includes(plugin))
  return [...sequence, ...rest].map(({ name, description }) => {
    const reason = off.get(name)
    return { name, description, active: reason === undefined, ...(reason === undefined ? {} : { reason }) }
  })
}

/** As the plugin's own fault, whoever the report names first. */
function reasonOf(problem: OrderProblem, { name }: Plugin): string {
  const { subject, message, remedy } = problem
  if (subject === `plugin ${name}`) return message
  return `does not fit: ${describeProblem({ subject, message, ...(remedy === undefined ? {} : { remedy }) }).trim()}`
}

function startupError({ plugin, message, cause }: PhaseFailure): StartupError {
  if (cause instanceof StartupError) return cause
  return new StartupError('The service could not start:', [{ subject: `plugin ${plugin}`, message }], cause)
}
