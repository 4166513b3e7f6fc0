import { type Contexts, createContexts } from './contexts.ts'
import { type Contributions, createContributions } from './contributions.ts'
import type { Declarations } from './declarations.ts'
import { createDisposers, type Disposers } from './disposers.ts'
import { appStart, appStop, type Listener } from './hook.ts'
import type { Log } from './log.ts'
import type { Plugin, PluginContext } from './plugin.ts'
import { PluginFault } from './plugin-fault.ts'
import { StartupError } from './startup-error.ts'
import { type Limited, runWithin } from './time-limit.ts'

export interface RunOptions {
  /** In start order. */
  readonly plugins: readonly Plugin[]
  readonly declarations: Declarations
  readonly log: Log
  readonly pluginConfig: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Plugins that are off, by name, each with the reason. */
  readonly switchedOff: ReadonlyMap<string, string>
  /** The names of `plugins`. */
  readonly switchedOn: ReadonlySet<string>
  /** How long one phase of the named plugin may take. */
  readonly timeoutMsOf: (plugin: string) => number
  /** How long each disposer of the named plugin may take before the stop continues without it. */
  readonly stopTimeoutMsOf: (plugin: string) => number
}

/** One attempt to start a list of plugins: either all of them run, or the attempt is stopped as a whole. */
export interface Run {
  /** By the ids of their tokens. */
  readonly services: ReadonlyMap<string, unknown>
  /** @throws PhaseFailure of the first plugin that fails; StartupError if stopped meanwhile */
  start(): Promise<void>
  /** Ends the start, which fails with an error that a plugin has left unhandled. */
  fail(plugin: string, error: unknown): void
  /** Aborts a start, emits `app:stop` if `app:start` was emitted, undoes everything. Never rejects. */
  stop(): Promise<void>
  emit: PluginContext['emit']
}

/** A plugin failed: in which phase, and why (`cause`). */
export class PhaseFailure extends Error {
  readonly plugin: string
  readonly phase: string

  constructor(plugin: string, phase: string, cause: unknown) {
    super(`failed in ${phase}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.plugin = plugin
    this.phase = phase
  }
}

/** Creates an attempt that has not begun. */
export function createRun(options: RunOptions): Run {
  const { plugins, log, stopTimeoutMsOf } = options
  const services = new Map<string, unknown>()
  const contributions = createContributions(plugins.map((plugin) => plugin.name))
  const disposers = createDisposers(log, stopTimeoutMsOf)
  const contexts = createContexts({ ...options, services, contributions, disposers })
  const phases = new Phases({ ...options, services, contributions, disposers, contexts })
  let starting: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  async function shutDown() {
    phases.breakOff()
    await starting?.catch(() => undefined)
    if (phases.isStartAnnounced) await contexts.emit(appStop, undefined)
    await disposers.undoAll()
  }

  return {
    services,
    emit: contexts.emit,
    fail: (plugin, error) => phases.fail(plugin, error),
    start() {
      starting = phases.run()
      return starting
    },
    stop() {
      stopped ??= shutDown()
      return stopped
    },
  }
}

interface PhasesParts extends RunOptions {
  readonly services: ReadonlyMap<string, unknown>
  readonly contributions: Contributions
  readonly disposers: Disposers
  readonly contexts: Contexts
}

/** The start: each phase runs for all plugins before the next phase begins. */
class Phases {
  readonly #parts: PhasesParts
  readonly #stopping = new AbortController()
  /** What each `init` returned. */
  readonly #states = new Map<Plugin, unknown>()
  isStartAnnounced = false

  constructor(parts: PhasesParts) {
    this.#parts = parts
  }

  async run(): Promise<void> {
    const { contexts, contributions } = this.#parts
    await this.#each('register', (plugin, limited) => plugin.register?.(contexts.ofRegister(plugin, limited)))
    await this.#each('init', (plugin, limited) => this.#init(plugin, limited))
    this.#seal()
    await this.#each('boot', (plugin, limited) =>
      plugin.boot?.(contexts.ofBoot(plugin, limited, this.#states.get(plugin))),
    )
    this.isStartAnnounced = true
    for (const { plugin, value } of contributions.of(appStart)) {
      await this.#attempt(plugin, appStart.id, () => (value as Listener<void>)())
    }
    this.#stopping.signal.throwIfAborted()
  }

  breakOff(): void {
    this.#stopping.abort(new StartupError('The service was told to stop.', []))
  }

  fail(plugin: string, error: unknown): void {
    this.#stopping.abort(failureOf(plugin, 'the background', error))
  }

  async #each(phase: string, task: (plugin: Plugin, limited: Limited) => unknown) {
    for (const plugin of this.#parts.plugins) {
      await this.#attempt(plugin.name, phase, (limited) => task(plugin, limited))
    }
  }

  async #attempt(plugin: string, phase: string, task: (limited: Limited) => unknown) {
    const limitMs = this.#parts.timeoutMsOf(plugin)
    const limit = { limitMs, message: `took longer than ${limitMs} ms`, stop: this.#stopping.signal }
    try {
      await runWithin(limit, task)
    } catch (error) {
      this.#stopping.signal.throwIfAborted()
      throw failureOf(plugin, phase, error)
    }
  }

  async #init(plugin: Plugin, limited: Limited) {
    const { contexts, disposers, services } = this.#parts
    if (plugin.destroy !== undefined) disposers.add(plugin.name, () => this.#destroy(plugin))
    this.#states.set(plugin, await plugin.init?.(contexts.ofInit(plugin, limited)))
    const missing = (plugin.provides ?? []).filter(({ id }) => !services.has(id))
    if (missing.length > 0) throw new Error(`did not provide ${missing.map(({ id }) => id).join(', ')}`)
  }

  #seal() {
    try {
      this.#parts.contributions.seal()
    } catch (error) {
      throw error instanceof PluginFault ? failureOf(error.plugin, 'init', error) : error
    }
  }

  #destroy(plugin: Plugin) {
    const unlimited = { signal: this.#stopping.signal, reportProgress: () => undefined }
    return plugin.destroy?.(this.#parts.contexts.ofDestroy(plugin, unlimited, this.#states.get(plugin)))
  }
}

/** The plugin whose phase it was, or the one that is blamed. */
function failureOf(plugin: string, phase: string, error: unknown): PhaseFailure {
  if (error instanceof PluginFault) return new PhaseFailure(error.plugin, phase, error.cause)
  return new PhaseFailure(plugin, phase, error)
}
