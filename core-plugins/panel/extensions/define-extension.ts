import type { Plugin, PluginDefinition, PluginManifest, ServiceTokens } from '../../../kernel/index.ts'
import type { ConfigFields, ConfigOf, ConfigSchema } from './config-schema.ts'

/** The manifest of a third-party plugin or theme; specification, "Extension routes". */
export interface ExtensionManifest<Schema extends ConfigSchema = ConfigSchema> extends PluginManifest {
  /** The display name; default: the name. */
  readonly displayName?: string
  readonly version?: string
  /** Default: `plugin`. */
  readonly kind?: 'plugin' | 'theme'
  /** The service versions it supports, as a semver range: `{ mortise: '>=0.1.0' }`. */
  readonly engines?: { readonly mortise: string }
  /** The schema of its config; checked, with defaults filled in. */
  readonly configSchema?: Schema
}

/** A plugin with the manifest of an extension, as found in a project. */
export type Extension = Plugin & ExtensionManifest

/** Types the phases as `definePlugin` does, and `config` by the `configSchema`. */
export function defineExtension<
  // biome-ignore lint/complexity/noBannedTypes: no service used is the empty object
  Uses extends ServiceTokens = {},
  // biome-ignore lint/complexity/noBannedTypes: as above
  UsesIfPresent extends ServiceTokens = {},
  State = undefined,
  Schema extends ConfigSchema = ConfigFields,
>(
  definition: PluginDefinition<Uses, UsesIfPresent, State, ConfigOf<Schema>> & ExtensionManifest<Schema>,
): PluginDefinition<Uses, UsesIfPresent, State, ConfigOf<Schema>> & ExtensionManifest<Schema> {
  return definition
}
