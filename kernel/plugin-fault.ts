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
