import type { Static, TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/**
 * Who may see and change a setting: `infrastructure` is fixed at start-up and read-only in the panel, `secret` is
 * never stored in the database nor shown, `runtime` is edited in the panel.
 */
export type SettingTier = 'infrastructure' | 'secret' | 'runtime'

export const settingTiers: readonly SettingTier[] = ['runtime', 'infrastructure', 'secret']

/** `test` behaves like `development` wherever the specification distinguishes the two. */
export type Environment = 'development' | 'production'

/** Properties of a setting besides its allowed values, given among the options of its TypeBox type. */
export interface SettingKeywords {
  readonly tier: SettingTier
  /** For panels and reports, in a few words. */
  readonly title: string
  /** What the setting does, with units. */
  readonly description: string
  readonly default: unknown
  /** The environment variable; default: `SVC_` and the key in upper snake case. */
  readonly env?: string
  /** The heading in panels; default: the first part of the key. */
  readonly category?: string
  /**
   * A runtime setting that only super-admins may change: for example, because it decides where secrets are
   * sent. Changes by others are refused, also in imports and when a backup is restored.
   */
  readonly isReserved?: boolean
}

/** The definition of a setting, which also is the typed key for reading its value. */
export interface Setting<T> extends Omit<SettingKeywords, 'default'> {
  /** Dotted, the first part is the category: `api.cors.origins`. */
  readonly key: string
  /** The allowed values. */
  readonly schema: TSchema
  readonly default: T
  check?(value: T, environment: Environment, get: ReadSetting): SettingProblem | undefined
}

/**
 * Returns what is wrong with a value that the schema allows, if anything; `get` reads the other settings. A
 * `warning` is logged; a `fatal` one keeps the service from starting, or refuses a change at run time. The
 * message must not contain the value of a secret.
 */
export type SettingCheck<T> = NonNullable<Setting<T>['check']>

/** Reads the value of another setting. */
export type ReadSetting = <T>(setting: Setting<T>) => T

/**
 * What is wrong with the value of a setting: a `fatal` problem keeps the service from starting, or the value from
 * being stored.
 */
export interface SettingProblem {
  readonly severity: 'warning' | 'fatal'
  readonly message: string
  readonly remedy: string
}

/**
 * Creates a setting; its owner contributes it to `settings` and reads it through `configService`, typed by
 * the schema.
 * @throws TypeError if the schema lacks one of the `SettingKeywords`
 */
export function defineSetting<S extends TSchema>(
  key: string,
  schema: S,
  check?: SettingCheck<Static<S>>,
): Setting<Static<S>> {
  const {
    tier,
    title,
    description,
    default: value,
    env,
    category,
    isReserved,
  } = schema as unknown as SettingKeywords
  if (
    !settingTiers.includes(tier) ||
    title === undefined ||
    description === undefined ||
    !Object.hasOwn(schema, 'default')
  ) {
    throw new TypeError(`the schema of ${key} must have a tier, a title, a description and a default`)
  }
  return Object.freeze({
    ...{ key, schema, tier, title, description, default: value as Static<S> },
    ...(env === undefined ? {} : { env }),
    ...(category === undefined ? {} : { category }),
    ...(isReserved === undefined ? {} : { isReserved }),
    ...(check === undefined ? {} : { check }),
  })
}

/** Every setting of the service. Contribute in `register`: values are checked before any other `init`. */
export const settings: ExtensionPoint<Setting<unknown>> = extensionPoint('settings')

/** A value that the config file has in another place than under the setting's key. */
export interface FileValue {
  readonly setting: Setting<unknown>
  /** The contributor has already checked it against the setting. */
  readonly value: unknown
}

/**
 * Values of the file layer, for plugins that read parts of the config file themselves. Contribute in
 * `register`.
 */
export const fileValues: ExtensionPoint<FileValue> = extensionPoint('fileValues')

/** The environment variable of a setting: the one it declares, or by the specification's convention. */
export function envNameOf(setting: Setting<unknown>): string {
  return setting.env ?? `SVC_${upperSnakeCase(setting.key)}`
}

function upperSnakeCase(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
}
