import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Setting } from './setting.ts'

/** A value that the database layer rejects, with the reason. */
export interface RejectedValue {
  readonly key: string
  readonly reason: string
}

/**
 * The settings for the plugin that stores runtime settings and serves them to the panel. All other plugins use
 * `Config`.
 */
export interface RuntimeSettings {
  /** The settings of all active plugins, by key. */
  readonly settings: ReadonlyMap<string, Setting<unknown>>
  /** True for settings that an environment variable sets, and for all that are not of the runtime tier. */
  isLocked(setting: Setting<unknown>): boolean
  /**
   * Returns which of `values`, taken as the whole database layer, must be rejected: those with unknown keys, of tiers
   * other than runtime, of the wrong type or out of bounds, and those that fail the setting's own fatal check given
   * all others. Changes nothing.
   */
  rejectedOf(values: Readonly<Record<string, unknown>>): readonly RejectedValue[]
  /**
   * Replaces the whole database layer with `values` (by key), then calls the listeners of every setting whose current
   * value changed. Skips the values that `rejectedOf` returns, and returns these. Values of locked settings are kept
   * but have no effect.
   */
  replaceDatabaseLayer(values: Readonly<Record<string, unknown>>): readonly RejectedValue[]
}

export const runtimeSettingsService: ServiceToken<RuntimeSettings> = service('runtime-settings')
