import { type HookToken, hook, nearest } from '../../../kernel/index.ts'
import {
  type Config,
  describeAllowed,
  type FileValue,
  isAllowed,
  type ProjectConfig,
  readEarly,
} from '../../foundation/config/config.ts'
import type { OwnSettings } from './config-schema.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The value of a setting of a plugin's `configSchema` changed. A plugin receives only its own, in every
 * process.
 */
export const pluginConfigChanged: HookToken<{
  readonly plugin: string
  /** The name in the `configSchema`. */
  readonly key: string
  readonly value: unknown
}> = hook('extensions:pluginConfigChanged')

/** The settings and values derived from a plugin's `configSchema`. */
export interface OwnConfig {
  readonly settings: OwnSettings
  /** The values of the project config, as part of the file layer. */
  readonly fileValues: readonly FileValue[]
  /** The current values, by the names in the schema; those of the start until `follow` is called. */
  readonly values: Values
  follow(config: Config): void
}

export interface OwnConfigOptions {
  readonly settings: OwnSettings
  /**
   * The plugin's section of the project config; `checkPluginConfig` must have found nothing wrong with it.
   */
  readonly inFile: Values
  readonly env: Readonly<Record<string, string | undefined>>
  readonly projectConfig: ProjectConfig
}

export function createOwnConfig({ settings, inFile, env, projectConfig }: OwnConfigOptions): OwnConfig {
  let config: Config | undefined
  const early = new Map<string, unknown>()
  const values = {}
  for (const [name, setting] of settings) {
    const inPart = inFile[name] === undefined ? setting : { ...setting, default: inFile[name] }
    early.set(name, readEarly(inPart, { env, projectConfig }))
    Object.defineProperty(values, name, {
      enumerable: true,
      get: () => (config === undefined ? early.get(name) : config.get(setting)) ?? undefined,
    })
  }
  return {
    settings,
    fileValues: [...settings].flatMap(([name, setting]) =>
      inFile[name] === undefined ? [] : [{ setting, value: inFile[name] }],
    ),
    values: Object.freeze(values),
    follow(present) {
      config = present
    },
  }
}

/** Returns everything that is wrong with the plugin's section of the project config. */
export function checkPluginConfig(settings: OwnSettings, values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const setting = settings.get(name)
    if (setting === undefined) return [`has no setting ${name}${suggestion(name, settings)}`]
    if (isAllowed(setting, value)) return []
    const found = setting.tier === 'secret' ? '' : `, not ${JSON.stringify(value)}`
    return [`${name} must be ${describeAllowed(setting)}${found}`]
  })
}

function suggestion(name: string, settings: OwnSettings): string {
  const meant = nearest(name, settings.keys())
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
