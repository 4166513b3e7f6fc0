import type { ExtensionPoint } from './extension-point.ts'
import type { HookToken, Listener } from './hook.ts'
import type { Log } from './log.ts'
import type { Placement } from './placement.ts'
import type { OptionalServicesOf, ServicesOf, ServiceToken, ServiceTokens } from './service.ts'

/** Values by name. */
type Values = Readonly<Record<string, unknown>>

/** What a plugin may do in every phase. */
export interface PluginContext<Config = Values> {
  /** The plugin's own name. */
  readonly name: string
  /** The plugin's own config, `{}` by default. Read it when you need it: it may change at run time. */
  readonly config: Config
  /** Includes the plugin's name in every line. */
  readonly log: Log
  /** Plugins that are off, by name, each with the reason. */
  readonly switchedOff: ReadonlyMap<string, string>
  /** The names of the plugins that are on. */
  readonly switchedOn: ReadonlySet<string>
  /** Aborted when the service stops or this phase runs out of time. */
  readonly signal: AbortSignal
  /**
   * Reports that a long phase is making progress, which restarts its time limit. For work of unpredictable
   * length, such as rebuilding all rows of a table.
   */
  reportProgress(): void
  /** Calls all listeners, one after the other. Never rejects: errors of a listener are logged. */
  emit<Payload>(hook: HookToken<Payload>, payload: Payload): Promise<void>
  /** What active plugins have contributed so far, ordered by placement, then by start order. */
  contributions<T>(point: ExtensionPoint<T>): readonly T[]
  /**
   * The same with the contributing plugins: throw a `PluginFault` of the owner if a contribution is unusable.
   */
  contributionsByPlugin<T>(point: ExtensionPoint<T>): readonly ContributionOf<T>[]
}

/** A contribution of a plugin to an extension point. */
export interface ContributionOf<T> {
  /** The name of the plugin. */
  readonly plugin: string
  readonly value: T
}

/** The first phase only declares: no services, no I/O. It should be synchronous; a promise is awaited. */
export interface RegisterContext<Config = Values> extends PluginContext<Config> {
  /** Adds to an extension point; allowed until all plugins are initialised. */
  contribute<T>(point: ExtensionPoint<T>, value: T, placement?: Placement): void
  /** Listens to a hook; allowed until all plugins are initialised. */
  on<Payload>(hook: HookToken<Payload>, listener: Listener<Payload>, placement?: Placement): void
}

/** The second phase: the services of the plugins that this one uses are available. */
export interface InitContext<Services, Config = Values> extends RegisterContext<Config> {
  readonly services: Services
  /** Provides a service listed in `provides`. */
  provide<T>(token: ServiceToken<T>, implementation: T): void
  /** Runs at the stop, last added first; an error in it is logged and does not stop the others. */
  onDispose(dispose: () => unknown): void
}

/** The third phase: every plugin is initialised, contributions are complete. */
export interface BootContext<Services, State = unknown, Config = Values> extends PluginContext<Config> {
  readonly services: Services
  /** What `init` returned. */
  readonly state: State
  onDispose(dispose: () => unknown): void
}

/** The fourth phase: the service is stopping. */
export interface DestroyContext<State = unknown, Config = Values> extends PluginContext<Config> {
  /** What `init` returned; undefined if it failed. */
  readonly state: State | undefined
}

/** A plugin's description of itself. */
export interface PluginManifest {
  /** Kebab-case, unique. */
  readonly name: string
  /** One sentence for the list of plugins. */
  readonly description: string
}

/** A plugin. Core and third-party plugins are written alike. */
export interface PluginDefinition<
  Uses extends ServiceTokens,
  UsesIfPresent extends ServiceTokens,
  State = unknown,
  Config = Values,
> extends PluginManifest {
  /** Required services. */
  readonly uses?: Uses
  /** Services used if their plugin is on; `undefined` otherwise. */
  readonly usesIfPresent?: UsesIfPresent
  readonly provides?: readonly ServiceToken<unknown>[]
  /** The extension points that this plugin reads, so that contributing to any other is an error. */
  readonly points?: readonly ExtensionPoint<unknown>[]
  /** The hooks that this plugin emits, so that listening to any other is an error. */
  readonly hooks?: readonly HookToken<unknown>[]
  register?(context: RegisterContext<Config>): void
  /** The return value is the plugin's `state` in later phases. */
  init?(
    context: InitContext<ServicesOf<Uses> & OptionalServicesOf<UsesIfPresent>, Config>,
  ): State | Promise<State>
  boot?(
    context: BootContext<ServicesOf<Uses> & OptionalServicesOf<UsesIfPresent>, State>,
  ): void | Promise<void>
  /** Runs at the stop, after the `stop` of every plugin that uses this one. */
  destroy?(context: DestroyContext<State, Config>): void | Promise<void>
}

/** A plugin whose exact service types do not matter, as the kernel stores it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of plugins is not typed by what each of them uses
export type Plugin = PluginDefinition<any, any, any, any>

/** Types the phases: `services` by `uses` and `usesIfPresent`, `state` by what `init` returns. */
export function definePlugin<
  // biome-ignore lint/complexity/noBannedTypes: no service used is the empty object
  Uses extends ServiceTokens = {},
  // biome-ignore lint/complexity/noBannedTypes: as above
  UsesIfPresent extends ServiceTokens = {},
  State = undefined,
>(definition: PluginDefinition<Uses, UsesIfPresent, State>): PluginDefinition<Uses, UsesIfPresent, State> {
  return definition
}
