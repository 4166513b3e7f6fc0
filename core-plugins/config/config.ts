import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Environment, Setting } from './setting.ts'

export { type DotEnvOptions, ensureDotEnv, loadDotEnv } from './dot-env.ts'
export {
  dataDir,
  defaultLocale,
  locales,
  type Role,
  role,
  siteDescription,
  siteName,
  siteUrl,
} from './general-settings.ts'
export { importFile, translatedFile } from './import-file.ts'
export { nearest } from './nearest.ts'
export { type ConfigPluginOptions, createConfigPlugin } from './plugin.ts'
export {
  type ConfigFile,
  loadProjectConfig,
  type PluginSwitch,
  type ProjectConfig,
} from './project-config.ts'
export { readEarly } from './read-early.ts'
export {
  defineSetting,
  type Environment,
  envNameOf,
  type FileValue,
  fileValues,
  type ReadSetting,
  type Setting,
  type SettingProblem,
  type SettingTier,
  type SettingType,
  settings,
} from './setting.ts'
export { type SocialLoginKeys, socialLogin } from './social-login-settings.ts'
export { describeAllowed, isAllowed } from './value.ts'

/** Where a value comes from, highest priority first: environment, config file, database, default. */
export type SettingSource = 'env' | 'file' | 'database' | 'default'

/** Reads settings; specification, "Configuration settings". */
export interface Config {
  readonly environment: Environment
  /** Absolute; relative paths in settings are meant from here. */
  readonly workingDirectory: string
  /** The present value. Cheap enough for every request. @throws Error if the setting was not contributed */
  get<T>(setting: Setting<T>): T
  sourceOf(setting: Setting<unknown>): SettingSource
  /** The variable's name, by the setting's own word or the convention. */
  envNameOf(setting: Setting<unknown>): string
  /** Calls back after a change of the setting at run time; the returned function ends that. */
  onChange<T>(setting: Setting<T>, listener: (value: T) => void): () => void
}

export const configService: ServiceToken<Config> = service('config')

/** A value that the database layer does not take, and why. */
export interface RejectedValue {
  readonly key: string
  readonly reason: string
}

/**
 * The settings as the plugin sees them that stores those of the runtime tier and serves them to the panel.
 * All others use `Config`.
 */
export interface RuntimeSettings {
  /** The settings of all active plugins, by key. */
  readonly settings: ReadonlyMap<string, Setting<unknown>>
  /** True where a variable sets it, and for every setting that is not of the runtime tier. */
  isLocked(setting: Setting<unknown>): boolean
  /**
   * Which of `values`, as the whole database layer, cannot be taken: those of unknown keys, of other tiers than
   * runtime, of the wrong type or out of bounds, and those that do not pass the setting's own fatal check beside
   * all others. Changes nothing.
   */
  rejectedOf(values: Readonly<Record<string, unknown>>): readonly RejectedValue[]
  /**
   * Replaces the whole database layer by `values` (by key), then calls the listeners of every setting whose
   * present value changed by that. What `rejectedOf` answers is left out, and answered. Values of locked settings
   * are kept, but do not show.
   */
  replaceDatabaseLayer(values: Readonly<Record<string, unknown>>): readonly RejectedValue[]
}

export const runtimeSettingsService: ServiceToken<RuntimeSettings> = service('runtime-settings')
