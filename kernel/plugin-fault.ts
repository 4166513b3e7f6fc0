import type { ContributionOf } from './plugin.ts'

/**
 * What one plugin has contributed cannot be used, says another one that finds out in a phase of its own: the first
 * one counts as the one that failed.
 */
export class PluginFault extends Error {
  readonly plugin: string

  constructor(plugin: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'PluginFault'
    this.plugin = plugin
  }
}

/**
 * For a list whose names must differ.
 * @throws PluginFault of the plugin that adds a second one of a name
 */
export function assertUniqueNames(
  what: string,
  contributions: readonly ContributionOf<{ readonly name: string }>[],
): void {
  const owners = new Map<string, string>()
  for (const { plugin, value } of contributions) {
    const owner = owners.get(value.name)
    if (owner !== undefined) {
      throw new PluginFault(plugin, new Error(`the ${what} ${value.name} is there already, from ${owner}`))
    }
    owners.set(value.name, plugin)
  }
}
