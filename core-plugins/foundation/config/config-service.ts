import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Environment, Setting } from './setting.ts'

/** Where a value comes from, highest priority first: environment, config file, database, default. */
export type SettingSource = 'env' | 'file' | 'database' | 'default'

/** Reads settings; specification, "Configuration settings". */
export interface Config {
  readonly environment: Environment
  /** Absolute; relative paths in settings are resolved against it. */
  readonly workingDirectory: string
  /** The current value. Cheap enough for every request. @throws Error if the setting was not contributed */
  get<T>(setting: Setting<T>): T
  sourceOf(setting: Setting<unknown>): SettingSource
  /** The variable's name: the setting's own, or by convention. */
  envNameOf(setting: Setting<unknown>): string
  /** Calls the listener after a change of the setting at run time; returns a function that unsubscribes. */
  onChange<T>(setting: Setting<T>, listener: (value: T) => void): () => void
}

/** Reads settings, and notifies listeners of changes. */
export const configService: ServiceToken<Config> = service('config')
