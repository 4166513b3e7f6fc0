import { type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { RejectedValue } from '../../foundation/config/config.ts'
import type { Queries, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** The stored value of a setting before and after a change; null if none is stored. */
export interface SettingChange {
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Runtime settings were changed, and the change is in effect in this process. Emitted only by the process
 * that made it.
 */
export const configChanged: HookToken<{
  readonly changes: readonly SettingChange[]
  /** Null for changes by the service itself. */
  readonly principal: Principal | null
}> = hook('config:changed')

/**
 * Values by the dotted keys of their settings; null removes the stored value, so that the next layer applies.
 */
export type SettingValues = Readonly<Record<string, unknown>>

/** Who makes a change, for the audit log. */
export interface ChangedBy {
  readonly principal: Principal | null
  /** The client's address. */
  readonly ip?: string
}

/** What became of settings that were imported. */
export interface ImportResult {
  /** The keys whose values were accepted. */
  readonly applied: readonly string[]
  readonly skipped: readonly RejectedValue[]
}

/** The settings stored in the database, which administrators change while the service runs. */
export interface RuntimeConfig {
  /** What the database holds, including values without effect because something overrides or locks them. */
  stored(queries?: Queries): Promise<SettingValues>
  /**
   * Changes all of them or none, in this process before it resolves and in all others within two seconds.
   * @throws AppError 403 if one of them is for super-admins, 423 if one of them is locked, 400 with all
   * problems
   * @param tx an open transaction that this is a part of: it takes effect after the commit
   */
  change(values: SettingValues, by: ChangedBy, tx?: Transaction): Promise<readonly SettingChange[]>
  /** Changes what can be changed, and returns why the rest cannot. */
  import(values: SettingValues, by: ChangedBy): Promise<ImportResult>
  /**
   * Makes the database hold exactly these values, as far as they are valid, in an open transaction: for
   * restoring a backup. Takes effect after its commit.
   */
  replaceAll(values: SettingValues, by: ChangedBy, tx: Transaction): Promise<ImportResult>
  /** Reloads everything, in all processes: for changes made in the database by hand. */
  reload(): Promise<void>
}

/** The settings that administrators change while the service runs. */
export const runtimeConfigService: ServiceToken<RuntimeConfig> = service('runtime-config')
