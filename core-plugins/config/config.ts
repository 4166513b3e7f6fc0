import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../kernel/index.ts'

/**
 * Who may see and change a setting: `infrastructure` is fixed at the start and read-only in the panel,
 * `secret` is never stored in the database nor shown, `runtime` is edited in the panel.
 */
export type SettingTier = 'infrastructure' | 'secret' | 'runtime'

export type SettingType = 'string' | 'integer' | 'boolean' | 'string[]' | 'json'

/** What a setting is, and at the same time the key by which its value is read, typed. */
export interface Setting<T> {
  /** Dotted, the first part is the category: `api.cors.origins`. */
  readonly key: string
  readonly tier: SettingTier
  readonly type: SettingType
  readonly default: T
  /** For panels and reports, in a few words. */
  readonly label: string
  /** What it does, with units. */
  readonly description: string
  /** The environment variable; `SVC_` and the key in upper snake case unless told otherwise. */
  readonly env?: string
  readonly min?: number
  readonly max?: number
  readonly enum?: readonly string[]
  /**
   * Says what is wrong with a value of the right type, or nothing.
   * A `warning` is logged; a `fatal` one keeps the service from starting.
   */
  check?(value: T, environment: Environment): SettingProblem | undefined
}

export interface SettingProblem {
  readonly severity: 'warning' | 'fatal'
  readonly message: string
  readonly remedy: string
}

/** `test` behaves as `development` wherever the specification tells the two apart. */
export type Environment = 'development' | 'production'

/** Where a value comes from, highest priority first: environment, config file, database, default. */
export type SettingSource = 'env' | 'file' | 'database' | 'default'

/** Makes a setting; its owner contributes it to `settings` and reads it through `configService`. */
export function defineSetting<T>(setting: Setting<T>): Setting<T> {
  return Object.freeze(setting)
}

/** Every setting that the service has. Contribute in `register`: values are checked before any `init`. */
export const settings: ExtensionPoint<Setting<unknown>> = extensionPoint('settings')

/** Reads settings; specification, "Configuration settings". */
export interface Config {
  readonly environment: Environment
  /** The present value. Cheap enough for every request. @throws Error if the setting was not contributed */
  get<T>(setting: Setting<T>): T
  sourceOf(setting: Setting<unknown>): SettingSource
  /** The variable's name, by the setting's own word or the convention. */
  envNameOf(setting: Setting<unknown>): string
  /** Calls back after a change of the setting at run time; the returned function ends that. */
  onChange<T>(setting: Setting<T>, listener: (value: T) => void): () => void
}

export const configService: ServiceToken<Config> = service('config')
