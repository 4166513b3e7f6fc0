import type { ExtensionPoint } from './extension-point.ts'
import type { HookToken, Listener } from './hook.ts'
import type { Log } from './log.ts'
import type { Ordered } from './order.ts'
import type { OptionalServicesOf, ServicesOf, ServiceToken, ServiceTokens } from './service.ts'

/** What a plugin may do in every phase. */
export interface PluginContext {
  /** The plugin's own name. */
  readonly name: string
  /** The plugin's own config, `{}` where there is none. Read it when it is needed: it may change at run time. */
  readonly config: Readonly<Record<string, unknown>>
  /** Carries the plugin's name. */
  readonly log: Log
  /** Aborted when the service stops or this phase runs out of time. */
  readonly signal: AbortSignal
  /**
   * Says that a long phase goes on: its time limit counts from now. For work whose length nobody can know, such as
   * making all rows of a table anew.
   */
  reportProgress(): void
  /** Tells all listeners, one after the other. Never rejects: what a listener throws is logged. */
  emit<Payload>(hook: HookToken<Payload>, payload: Payload): Promise<void>
  /** What active plugins have contributed so far, sorted by order, then by start order. */
  contributions<T>(point: ExtensionPoint<T>): readonly T[]
  /** The same with whose they are: what makes one unusable is thrown as a `PluginFault` of that plugin. */
  contributionsByPlugin<T>(point: ExtensionPoint<T>): readonly ContributionOf<T>[]
}

/** What a plugin has added to an extension point. */
export interface ContributionOf<T> {
  /** The name of the plugin. */
  readonly plugin: string
  readonly value: T
}

/** The first phase is synchronous and only declares: no services, no I/O. */
export interface RegisterContext extends PluginContext {
  /** Adds to an extension point; allowed until all plugins are initialised. */
  contribute<T>(point: ExtensionPoint<T>, value: T, options?: Ordered): void
  /** Listens to a hook; allowed until all plugins are initialised. */
  on<Payload>(hook: HookToken<Payload>, listener: Listener<Payload>, options?: Ordered): void
}

/** The second phase: services of the plugins that this one uses are there. */
export interface InitContext<Services> extends RegisterContext {
  readonly services: Services
  /** Fulfils a promise made in `provides`. */
  provide<T>(token: ServiceToken<T>, implementation: T): void
  /** Runs at the stop, last added first; an error in it is logged and stops nothing. */
  onDispose(dispose: () => unknown): void
}

/** The third phase: every plugin is initialised, contributions are complete. */
export interface BootContext<Services> extends PluginContext {
  readonly services: Services
  onDispose(dispose: () => unknown): void
}

/** What a plugin says about itself; specification, "Extension routes". The kernel reads the name only. */
export interface PluginManifest {
  /** Kebab-case, unique. */
  readonly name: string
  /** One sentence for the list of plugins. */
  readonly description: string
  /** For people; the name unless told otherwise. */
  readonly displayName?: string
  readonly version?: string
  /** `plugin` unless told otherwise. */
  readonly kind?: 'plugin' | 'theme'
  /** The versions of the service that it works with, as a semver range: `{ mortise: '>=0.1.0' }`. */
  readonly engines?: { readonly mortise: string }
  /** What its config may hold; checked, with defaults filled in. */
  readonly configSchema?: Readonly<Record<string, ConfigField>>
}

/** One field of a plugin's config. Without a default it may be left out. */
export interface ConfigField {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'string[]' | 'json'
  readonly label: string
  readonly description?: string
  readonly default?: unknown
  /** Who may see and change it, as with any setting; `runtime` unless told otherwise. */
  readonly tier?: 'runtime' | 'infrastructure' | 'secret'
  /** Of an `integer` or `number`. */
  readonly min?: number
  readonly max?: number
  /** Most characters of a `string`, or of each item of a `string[]`. */
  readonly maxLength?: number
  /** The only values that a `string`, or the items of a `string[]`, may have. */
  readonly enum?: readonly string[]
}

/** What a plugin is. Core and third-party plugins are written alike. */
export interface PluginDefinition<Uses extends ServiceTokens, UsesIfPresent extends ServiceTokens>
  extends PluginManifest {
  /** Services that must be there. */
  readonly uses?: Uses
  /** Services that are used when their plugin is on; `undefined` otherwise. */
  readonly usesIfPresent?: UsesIfPresent
  readonly provides?: readonly ServiceToken<unknown>[]
  register?(context: RegisterContext): void
  init?(context: InitContext<ServicesOf<Uses> & OptionalServicesOf<UsesIfPresent>>): void | Promise<void>
  boot?(context: BootContext<ServicesOf<Uses> & OptionalServicesOf<UsesIfPresent>>): void | Promise<void>
  /** Runs at the stop, after those of the plugins that use this one. */
  destroy?(context: PluginContext): void | Promise<void>
}

/** A plugin whose exact service types do not matter, as the kernel holds it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of plugins is not typed by what each of them uses
export type Plugin = PluginDefinition<any, any>

/** Gives `services` in the phases the types of `uses` and `usesIfPresent`. */
export function definePlugin<
  // biome-ignore lint/complexity/noBannedTypes: no service used is the empty object
  Uses extends ServiceTokens = {},
  // biome-ignore lint/complexity/noBannedTypes: as above
  UsesIfPresent extends ServiceTokens = {},
>(definition: PluginDefinition<Uses, UsesIfPresent>): PluginDefinition<Uses, UsesIfPresent> {
  return definition
}
