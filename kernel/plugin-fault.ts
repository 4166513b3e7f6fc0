import { recogniseAcrossCopies } from './across-copies.ts'
import type { ContributionOf } from './plugin.ts'

/**
 * Thrown by a plugin when it cannot use what another one contributed: the contributing plugin then counts as
 * the one that failed.
 */
export class PluginFault extends Error {
  readonly plugin: string

  constructor(plugin: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'PluginFault'
    this.plugin = plugin
  }
}

recogniseAcrossCopies(PluginFault, 'PluginFault')

/**
 * For a list whose names must be unique; those of backends that a setting selects are called `type`.
 * @throws PluginFault blaming the plugin that adds a name for the second time
 */
export function assertUniqueNames(
  what: string,
  contributions: readonly ContributionOf<{ readonly name: string } | { readonly type: string }>[],
): void {
  const owners = new Map<string, string>()
  for (const { plugin, value } of contributions) {
    const name = 'name' in value ? value.name : value.type
    const owner = owners.get(name)
    if (owner !== undefined) {
      throw new PluginFault(plugin, new Error(`the ${what} ${name} already exists, from ${owner}`))
    }
    owners.set(name, plugin)
  }
}
