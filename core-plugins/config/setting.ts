import { type ExtensionPoint, extensionPoint } from '../../kernel/index.ts'

/**
 * Who may see and change a setting: `infrastructure` is fixed at the start and read-only in the panel,
 * `secret` is never stored in the database nor shown, `runtime` is edited in the panel.
 */
export type SettingTier = 'infrastructure' | 'secret' | 'runtime'

export type SettingType = 'string' | 'integer' | 'number' | 'boolean' | 'string[]' | 'json'

/** `test` behaves as `development` wherever the specification tells the two apart. */
export type Environment = 'development' | 'production'

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
  /** Under what panels list it; the first part of the key unless told otherwise. */
  readonly category?: string
  /** Least value of an `integer` or `number`. */
  readonly min?: number
  /** Greatest value of an `integer` or `number`. */
  readonly max?: number
  /** Most characters of a `string`, or of each item of a `string[]`. */
  readonly maxLength?: number
  /** The only values that a `string`, or the items of a `string[]`, may have. */
  readonly enum?: readonly string[]
  /**
   * Of the runtime tier, but for super-admins to change: what says where secrets are sent. A change by anybody else is
   * refused, in an import and in the restore of a backup as well.
   */
  readonly isReserved?: boolean
  /**
   * Says what is wrong with a value of the right type, or nothing; `get` reads the other settings.
   * A `warning` is logged; a `fatal` one keeps the service from starting, or refuses a change at run time.
   * The message must not hold the value of a secret.
   */
  check?(value: T, environment: Environment, get: ReadSetting): SettingProblem | undefined
}

/** Reads the value of another setting. */
export type ReadSetting = <T>(setting: Setting<T>) => T

export interface SettingProblem {
  readonly severity: 'warning' | 'fatal'
  readonly message: string
  readonly remedy: string
}

/** Makes a setting; its owner contributes it to `settings` and reads it through `configService`. */
export function defineSetting<T>(setting: Setting<T>): Setting<T> {
  return Object.freeze(setting)
}

/** Every setting that the service has. Contribute in `register`: values are checked before any other `init`. */
export const settings: ExtensionPoint<Setting<unknown>> = extensionPoint('settings')

/** A value that the config file holds in another place than under the setting's key. */
export interface FileValue {
  readonly setting: Setting<unknown>
  /** Allowed for the setting: whoever contributes it has judged it. */
  readonly value: unknown
}

/** Values of the file layer, for those who read parts of the config file themselves. Contribute in `register`. */
export const fileValues: ExtensionPoint<FileValue> = extensionPoint('fileValues')

/** The variable that sets a setting, by the setting's own word or the convention of the specification. */
export function envNameOf(setting: Setting<unknown>): string {
  return setting.env ?? `SVC_${upperSnakeCase(setting.key)}`
}

function upperSnakeCase(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
}
