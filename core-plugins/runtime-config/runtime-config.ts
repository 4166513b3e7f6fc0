import { type HookToken, hook, type ServiceToken, service } from '../../kernel/index.ts'
import type { RejectedValue } from '../config/config.ts'
import type { Queries, Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

/** What the database holds of one setting, before and after a change; null where it held or holds nothing. */
export interface SettingChange {
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

/** Runtime settings were changed, and the change has taken effect in this process. Told by the one that made it. */
export const configChanged: HookToken<{
  readonly changes: readonly SettingChange[]
  /** Null for what the service does by itself. */
  readonly principal: Principal | null
}> = hook('config:changed')

/** Values by the dotted keys of their settings; null stands for none, so that the next layer shows. */
export type SettingValues = Readonly<Record<string, unknown>>

/** Who makes a change, for the audit log. */
export interface ChangedBy {
  readonly principal: Principal | null
  /** The client's address. */
  readonly ip?: string
}

export interface ImportResult {
  /** The keys whose values were taken. */
  readonly applied: readonly string[]
  readonly skipped: readonly RejectedValue[]
}

/** The settings that the database holds: those which administrators change while the service runs. */
export interface RuntimeConfig {
  /** What the database holds, values included that do not show because something outranks or locks them. */
  stored(queries?: Queries): Promise<SettingValues>
  /**
   * Changes all of them or none, in this process before it resolves and in all others within two seconds.
   * @throws AppError 403 if one of them is for super-admins, 423 if one of them is locked, 400 with everything that is wrong
   */
  change(values: SettingValues, by: ChangedBy): Promise<readonly SettingChange[]>
  /** Changes what can be changed, and tells why the rest cannot. */
  import(values: SettingValues, by: ChangedBy): Promise<ImportResult>
  /**
   * Makes the database hold exactly these values, as far as they can be taken, in a transaction that is open: for
   * restoring a backup. Takes effect after its commit.
   */
  replaceAll(values: SettingValues, by: ChangedBy, tx: Transaction): Promise<ImportResult>
  /** Reads everything anew, in all processes: for changes that were made in the database by hand. */
  reload(): Promise<void>
}

export const runtimeConfigService: ServiceToken<RuntimeConfig> = service('runtime-config')
