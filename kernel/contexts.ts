import type { Contributions } from './contributions.ts'
import type { Declarations } from './declarations.ts'
import type { Disposers } from './disposers.ts'
import type { ExtensionPoint } from './extension-point.ts'
import type { HookToken, Listener } from './hook.ts'
import type { Log } from './log.ts'
import type { Placement } from './placement.ts'
import type {
  BootContext,
  ContributionOf,
  DestroyContext,
  InitContext,
  Plugin,
  PluginContext,
  RegisterContext,
} from './plugin.ts'
import type { ServiceToken } from './service.ts'
import type { Limited } from './time-limit.ts'

export interface ContextsOptions {
  readonly log: Log
  readonly pluginConfig: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly switchedOff: ReadonlyMap<string, string>
  readonly switchedOn: ReadonlySet<string>
  /** By id. */
  readonly services: Map<string, unknown>
  readonly declarations: Declarations
  readonly contributions: Contributions
  readonly disposers: Disposers
}

/** By the names under which a plugin asks for them. */
type Services = Readonly<Record<string, unknown>>

/** Creates the context that each phase of a plugin is called with. */
export interface Contexts {
  ofRegister(plugin: Plugin, limited: Limited): RegisterContext
  ofInit(plugin: Plugin, limited: Limited): InitContext<Services>
  ofBoot(plugin: Plugin, limited: Limited, state: unknown): BootContext<Services>
  ofDestroy(plugin: Plugin, limited: Limited, state: unknown): DestroyContext
  /** Calls all listeners, one after the other; logs what they throw. */
  emit: PluginContext['emit']
}

export function createContexts(options: ContextsOptions): Contexts {
  const { log, pluginConfig, switchedOff, switchedOn, contributions } = options
  const emit = emitterOf(options)

  const common = (plugin: Plugin, limited: Limited): PluginContext => ({
    ...limited,
    name: plugin.name,
    config: pluginConfig[plugin.name] ?? {},
    switchedOff,
    switchedOn,
    log: log.child({ plugin: plugin.name }),
    emit,
    contributions: <T>(point: ExtensionPoint<T>) => contributions.of(point).map(({ value }) => value as T),
    contributionsByPlugin: <T>(point: ExtensionPoint<T>) =>
      contributions.of(point) as readonly ContributionOf<T>[],
  })

  return {
    emit,
    ofRegister: (plugin, limited) => ({ ...common(plugin, limited), ...declaring(plugin, options) }),
    ofInit: (plugin, limited) => ({
      ...common(plugin, limited),
      ...declaring(plugin, options),
      ...served(plugin, options),
      provide: (token, implementation) => provide(plugin, token, implementation, options),
    }),
    ofBoot: (plugin, limited, state) => ({ ...common(plugin, limited), ...served(plugin, options), state }),
    ofDestroy: (plugin, limited, state) => ({ ...common(plugin, limited), state }),
  }
}

function emitterOf({ log, contributions }: ContextsOptions): PluginContext['emit'] {
  return async (token, payload) => {
    for (const { plugin, value } of contributions.of(token)) {
      try {
        await (value as Listener<typeof payload>)(payload)
      } catch (error) {
        log.error({ plugin, hook: token.id, err: error }, `a listener of ${token.id} failed`)
      }
    }
  }
}

function declaring({ name: plugin }: Plugin, { contributions, declarations }: ContextsOptions) {
  return {
    contribute<T>(point: ExtensionPoint<T>, value: T, placement: Placement = {}) {
      declarations.assertOwned(plugin, point)
      contributions.add(point, { plugin, value, placement, order: point.orderOf?.(value) ?? 0 })
    },
    on(hook: HookToken<never>, listener: unknown, placement: Placement = {}) {
      declarations.assertOwned(plugin, hook)
      contributions.add(hook, { plugin, value: listener, placement, order: 0 })
    },
  }
}

function served(plugin: Plugin, { services, disposers }: ContextsOptions) {
  const tokens = { ...plugin.uses, ...plugin.usesIfPresent } as Record<string, ServiceToken<unknown>>
  const named = Object.entries(tokens).map(([name, token]) => [name, services.get(token.id)])
  return {
    services: Object.fromEntries(named),
    onDispose: (dispose: () => unknown) => disposers.add(plugin.name, dispose),
  }
}

function provide<T>(
  plugin: Plugin,
  token: ServiceToken<T>,
  implementation: T,
  { services }: ContextsOptions,
) {
  if (!plugin.provides?.some(({ id }) => id === token.id)) {
    throw new Error(`${plugin.name} provides ${token.id} without listing it in provides`)
  }
  services.set(token.id, implementation)
}
