import { createContributions } from './contributions.ts'
import { createDisposers } from './disposers.ts'
import type { ExtensionPoint } from './extension-point.ts'
import { appStart, appStop, type HookToken, type Listener } from './hook.ts'
import type { Log } from './log.ts'
import type { ContributionOf, Plugin, PluginContext } from './plugin.ts'
import { PluginFault } from './plugin-fault.ts'
import type { ServiceToken } from './service.ts'
import { StartupError } from './startup-error.ts'
import { type Limited, runWithin } from './time-limit.ts'

export interface RunOptions {
  /** In start order. */
  readonly plugins: readonly Plugin[]
  readonly log: Log
  readonly pluginConfig: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** How long a phase of the plugin with this name may take. */
  readonly timeoutMsOf: (plugin: string) => number
  /** How long each thing that a plugin undoes at the stop may take before the stop goes on without it. */
  readonly stopTimeoutMsOf: (plugin: string) => number
}

/** One attempt to start a list of plugins: all of them run, or the attempt is stopped as a whole. */
export interface Run {
  readonly services: ReadonlyMap<ServiceToken<unknown>, unknown>
  /** @throws PhaseFailure of the first plugin that fails; StartupError if it was stopped meanwhile */
  start(): Promise<void>
  /** Breaks off a start, tells `app:stop` if `app:start` was told, undoes everything. Never rejects. */
  stop(): Promise<void>
  emit: PluginContext['emit']
}

/** A plugin failed, in which phase, and by what (`cause`). */
export class PhaseFailure extends Error {
  readonly plugin: string
  readonly phase: string

  constructor(plugin: string, phase: string, cause: unknown) {
    super(`failed in ${phase}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.plugin = plugin
    this.phase = phase
  }
}

/** Makes an attempt that has not begun. */
export function createRun(options: RunOptions): Run {
  const { plugins, log, pluginConfig, timeoutMsOf, stopTimeoutMsOf } = options
  const services = new Map<ServiceToken<unknown>, unknown>()
  const contributions = createContributions(plugins.map((plugin) => plugin.name))
  const disposers = createDisposers(log, stopTimeoutMsOf)
  const stopping = new AbortController()
  let isStartTold = false
  let starting: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  async function emit<Payload>(token: HookToken<Payload>, payload: Payload) {
    for (const { plugin, value } of contributions.of(token)) {
      try {
        await (value as Listener<Payload>)(payload)
      } catch (error) {
        log.error({ plugin, hook: token.id, err: error }, `a listener of ${token.id} failed`)
      }
    }
  }

  function contextOf(plugin: Plugin, limited: Limited): PluginContext {
    return {
      ...limited,
      name: plugin.name,
      config: pluginConfig[plugin.name] ?? {},
      log: log.child({ plugin: plugin.name }),
      emit,
      contributions: <T>(point: ExtensionPoint<T>) => contributions.of(point).map(({ value }) => value as T),
      contributionsByPlugin: <T>(point: ExtensionPoint<T>) =>
        contributions.of(point) as readonly ContributionOf<T>[],
    }
  }

  function declaring(plugin: Plugin) {
    const add = (key: { id: string }, value: unknown, { order = 0 } = {}) =>
      contributions.add(key, { plugin: plugin.name, value, order })
    return { contribute: add, on: add }
  }

  function served(plugin: Plugin) {
    const tokens = { ...plugin.uses, ...plugin.usesIfPresent } as Record<string, ServiceToken<unknown>>
    const named = Object.entries(tokens).map(([name, token]) => [name, services.get(token)])
    return {
      services: Object.fromEntries(named),
      onDispose: (dispose: () => unknown) => disposers.add(plugin.name, dispose),
    }
  }

  function provide(plugin: Plugin, token: ServiceToken<unknown>, implementation: unknown) {
    if (!plugin.provides?.includes(token)) {
      throw new Error(`${plugin.name} provides ${token.id} without listing it in provides`)
    }
    services.set(token, implementation)
  }

  async function init(plugin: Plugin, limited: Limited) {
    if (plugin.destroy !== undefined) {
      const unlimited = { signal: stopping.signal, reportProgress: () => undefined }
      disposers.add(plugin.name, () => plugin.destroy?.(contextOf(plugin, unlimited)))
    }
    await plugin.init?.({
      ...contextOf(plugin, limited),
      ...declaring(plugin),
      ...served(plugin),
      provide: (token, implementation) => provide(plugin, token, implementation),
    })
    const missing = (plugin.provides ?? []).filter((token) => !services.has(token))
    if (missing.length > 0) throw new Error(`did not provide ${missing.map(({ id }) => id).join(', ')}`)
  }

  async function attempt(plugin: string, phase: string, task: (limited: Limited) => unknown) {
    const limitMs = timeoutMsOf(plugin)
    const message = `took longer than ${limitMs} ms`
    try {
      await runWithin({ limitMs, message, stop: stopping.signal }, task)
    } catch (error) {
      stopping.signal.throwIfAborted()
      if (error instanceof PluginFault) throw new PhaseFailure(error.plugin, phase, error.cause)
      throw new PhaseFailure(plugin, phase, error)
    }
  }

  async function runPhase(phase: string, task: (plugin: Plugin, limited: Limited) => unknown) {
    for (const plugin of plugins) await attempt(plugin.name, phase, (limited) => task(plugin, limited))
  }

  async function runPhases() {
    await runPhase('register', (plugin, limited) =>
      plugin.register?.({ ...contextOf(plugin, limited), ...declaring(plugin) }),
    )
    await runPhase('init', init)
    contributions.seal()
    await runPhase('boot', (plugin, limited) =>
      plugin.boot?.({ ...contextOf(plugin, limited), ...served(plugin) }),
    )
    isStartTold = true
    for (const { plugin, value } of contributions.of(appStart)) {
      await attempt(plugin, appStart.id, () => (value as Listener<void>)())
    }
  }

  async function shutDown() {
    stopping.abort(new StartupError('The service was told to stop.', []))
    await starting?.catch(() => undefined)
    if (isStartTold) await emit(appStop, undefined)
    await disposers.undoAll()
  }

  return {
    services,
    emit,
    start() {
      starting = runPhases()
      return starting
    },
    stop() {
      stopped ??= shutDown()
      return stopped
    },
  }
}
