/** Off, on, or on with options. */
export type PluginSwitch = boolean | Readonly<Record<string, unknown>>

/**
 * The default export of `mortise.config.ts`: settings by dotted or nested key, and the properties below.
 * Write `export default { … } satisfies ConfigFile`.
 */
export interface ConfigFile {
  /** By the name of a core plugin, or the path of your own plugin from the working directory. */
  readonly plugins?: Readonly<Record<string, PluginSwitch>>
  /** A failing third-party plugin stops the start, instead of being switched off. */
  readonly strictPlugins?: boolean
  readonly [setting: string]: unknown
}
