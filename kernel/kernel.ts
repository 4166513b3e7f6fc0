import type { ExtensionPoint } from './extension-point.ts'
import { appStart, appStop, type HookToken, type Listener } from './hook.ts'
import type { Log } from './log.ts'
import { inOrder } from './order.ts'
import type { Plugin, PluginContext } from './plugin.ts'
import type { ServiceToken } from './service.ts'
import { type Disabled, dependentsOf, startOrder } from './start-order.ts'
import { StartupError } from './startup-error.ts'

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
  /** How long one phase of one plugin may take. */
  readonly phaseTimeoutMs?: number
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
   * Runs all phases and tells `app:start`.
   * @throws StartupError naming plugin and phase; everything started so far is stopped again
   */
  start(): Promise<void>
  /** Tells `app:stop`, then undoes the start in reverse order. Never rejects; safe to call twice. */
  stop(): Promise<void>
  /** A provided service; for entry points and tests, plugins get theirs as `services`. */
  get<T>(token: ServiceToken<T>): T
  /** All plugins, the active ones in start order. */
  plugins(): readonly PluginStatus[]
}

/** A third-party plugin failed and was switched off, together with those that need it. */
export const pluginFailed: HookToken<{ plugin: string; reason: string }> = Object.freeze({
  id: 'kernel:pluginFailed',
})

interface Contributed {
  readonly plugin: string
  readonly value: unknown
  readonly order: number
}

const defaultPhaseTimeoutMs = 60_000

/** Makes a kernel that has not started. @throws StartupError if the plugins do not fit together */
export function createKernel(options: KernelOptions): Kernel {
  const { log, pluginConfig = {}, isEssential = () => true } = options
  const phaseTimeoutMs = options.phaseTimeoutMs ?? defaultPhaseTimeoutMs
  const off = new Map(options.disabled)
  const sequence = startOrder(options.plugins, off)
  const services = new Map<ServiceToken<unknown>, unknown>()
  const contributed = new Map<ExtensionPoint<unknown>, Contributed[]>()
  const listeners = new Map<HookToken<unknown>, Contributed[]>()
  const disposers: { plugin: Plugin; dispose: () => unknown }[] = []
  const stopping = new AbortController()
  let isSealed = false
  let stopped: Promise<void> | undefined

  const isActive = (name: string) => !off.has(name)

  function add(list: Map<unknown, Contributed[]>, key: { id: string }, entry: Contributed) {
    if (isSealed) {
      throw new Error(`${entry.plugin} adds to ${key.id} too late; do so in register or init`)
    }
    list.set(key, [...(list.get(key) ?? []), entry])
  }

  function active(list: Map<unknown, Contributed[]>, key: unknown): Contributed[] {
    const position = (entry: Contributed) => sequence.findIndex((plugin) => plugin.name === entry.plugin)
    const entries = (list.get(key) ?? []).filter((entry) => isActive(entry.plugin))
    return inOrder(entries.sort((left, right) => position(left) - position(right)))
  }

  async function tell<Payload>(hook: HookToken<Payload>, payload: Payload, onError: OnListenerError) {
    for (const entry of active(listeners, hook)) {
      try {
        await (entry.value as Listener<Payload>)(payload)
      } catch (error) {
        onError(entry.plugin, error)
      }
    }
  }

  function emit<Payload>(hook: HookToken<Payload>, payload: Payload): Promise<void> {
    return tell(hook, payload, (plugin, error) =>
      log.error({ plugin, hook: hook.id, err: error }, `a listener of ${hook.id} failed`),
    )
  }

  function contextOf(plugin: Plugin, signal: AbortSignal): PluginContext {
    return {
      name: plugin.name,
      config: pluginConfig[plugin.name] ?? {},
      log: log.child({ plugin: plugin.name }),
      signal,
      emit,
      contributions: <T>(point: ExtensionPoint<T>) =>
        active(contributed, point).map((entry) => entry.value as T),
    }
  }

  function declaring(plugin: Plugin) {
    return {
      contribute: (point: ExtensionPoint<unknown>, value: unknown, { order = 0 } = {}) =>
        add(contributed, point, { plugin: plugin.name, value, order }),
      on: (hook: HookToken<unknown>, value: unknown, { order = 0 } = {}) =>
        add(listeners, hook, { plugin: plugin.name, value, order }),
    }
  }

  function served(plugin: Plugin) {
    const tokens = { ...plugin.uses, ...plugin.usesIfPresent } as Record<string, ServiceToken<unknown>>
    const named = Object.entries(tokens).map(([name, token]) => [name, services.get(token)])
    return {
      services: Object.fromEntries(named),
      onDispose: (dispose: () => unknown) => disposers.push({ plugin, dispose }),
    }
  }

  function provide(plugin: Plugin, token: ServiceToken<unknown>, implementation: unknown) {
    if (!plugin.provides?.includes(token)) {
      throw new Error(`${plugin.name} provides ${token.id} without listing it in provides`)
    }
    services.set(token, implementation)
  }

  async function init(plugin: Plugin, signal: AbortSignal) {
    if (plugin.destroy !== undefined) {
      disposers.push({ plugin, dispose: () => plugin.destroy?.(contextOf(plugin, stopping.signal)) })
    }
    await plugin.init?.({
      ...contextOf(plugin, signal),
      ...declaring(plugin),
      ...served(plugin),
      provide: (token, implementation) => provide(plugin, token, implementation),
    })
    const missing = (plugin.provides ?? []).filter((token) => !services.has(token))
    if (missing.length > 0) {
      throw new Error(`did not provide ${missing.map((token) => token.id).join(', ')} in init`)
    }
  }

  async function runPhase(phase: string, run: (plugin: Plugin, signal: AbortSignal) => unknown) {
    for (const plugin of sequence) {
      if (!isActive(plugin.name)) continue
      try {
        await withTimeout(phaseTimeoutMs, `${phase} took longer than ${phaseTimeoutMs} ms`, (signal) =>
          run(plugin, AbortSignal.any([signal, stopping.signal])),
        )
      } catch (error) {
        await fail(plugin, phase, error)
      }
    }
  }

  async function fail(plugin: Plugin, phase: string, error: unknown) {
    const dependents = dependentsOf(plugin.name, sequence)
    const essential = sequence.find(
      (other) => (other === plugin || dependents.has(other.name)) && isEssential(other),
    )
    if (essential !== undefined) throw phaseError(plugin, phase, error)
    const reason = `failed in ${phase}: ${messageOf(error)}`
    log.error({ plugin: plugin.name, err: error }, `${plugin.name} ${reason}; it is switched off`)
    off.set(plugin.name, reason)
    for (const name of dependents) off.set(name, `needs ${plugin.name}, which ${reason}`)
    await dispose((entry) => !isActive(entry.plugin.name))
    await emit(pluginFailed, { plugin: plugin.name, reason })
  }

  async function dispose(matches: (entry: { plugin: Plugin }) => boolean) {
    for (const entry of disposers.filter(matches).reverse()) {
      disposers.splice(disposers.indexOf(entry), 1)
      try {
        await entry.dispose()
      } catch (error) {
        log.error({ plugin: entry.plugin.name, err: error }, `${entry.plugin.name} failed to stop cleanly`)
      }
    }
  }

  async function start() {
    try {
      await runPhase('register', (plugin, signal) =>
        plugin.register?.({ ...contextOf(plugin, signal), ...declaring(plugin) }),
      )
      await runPhase('init', init)
      isSealed = true
      await runPhase('boot', (plugin, signal) =>
        plugin.boot?.({ ...contextOf(plugin, signal), ...served(plugin) }),
      )
      await tell(appStart, undefined, (name, error) => {
        const plugin = sequence.find((candidate) => candidate.name === name) as Plugin
        throw phaseError(plugin, appStart.id, error)
      })
    } catch (error) {
      await stop()
      throw error
    }
  }

  function stop(): Promise<void> {
    stopped ??= (async () => {
      stopping.abort()
      await emit(appStop, undefined)
      await dispose(() => true)
    })()
    return stopped
  }

  return {
    start,
    stop,
    get<T>(token: ServiceToken<T>): T {
      if (!services.has(token)) throw new Error(`no active plugin provides the service ${token.id}`)
      return services.get(token) as T
    },
    plugins: () => listPlugins(sequence, options.plugins, off),
  }
}

type OnListenerError = (plugin: string, error: unknown) => void

function listPlugins(sequence: readonly Plugin[], all: readonly Plugin[], off: Disabled): PluginStatus[] {
  const rest = all.filter((plugin) => !sequence.includes(plugin))
  return [...sequence, ...rest].map(({ name, description }) => {
    const reason = off.get(name)
    return { name, description, active: reason === undefined, ...(reason === undefined ? {} : { reason }) }
  })
}

async function withTimeout(timeoutMs: number, message: string, run: (signal: AbortSignal) => unknown) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new Error(message))
    }, timeoutMs)
  })
  try {
    return await Promise.race([run(controller.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}

function phaseError(plugin: Plugin, phase: string, error: unknown): StartupError {
  if (error instanceof StartupError) return error
  const problem = { subject: `plugin ${plugin.name}`, message: `failed in ${phase}: ${messageOf(error)}` }
  return new StartupError('The service could not start:', [problem], error)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
