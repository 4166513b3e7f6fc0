import { type ServiceToken, service } from '../../../../kernel/index.ts'

/** What the syncs have created; other plugins learn only about declared tables and columns. */
export interface SchemaRecord {
  /** Whether the last sync created the column because it was declared. */
  declared(table: string, column: string): Promise<boolean>
  /** Whether a sync has created the column, still declared or not. */
  exists(table: string, column: string): Promise<boolean>
  /** The tables that are no longer declared and whose references prevent some of these rows from being deleted. */
  undeclaredHolds(table: string, ids: readonly number[]): Promise<readonly string[]>
  /**
   * Whether the last sync before this start knew a table that this process declares: a process of an earlier version,
   * or without the plugin of the table, does not. Undefined if there was none, and in commands, which do not sync;
   * known once the database has booted.
   */
  knewBefore(table: string): boolean | undefined
  /** Reports every few seconds whether the latest sync, possibly of another process, knew a table. */
  watch(table: string, tell: (isKnown: boolean) => Promise<void>): { stop(): Promise<void> }
}

export const schemaRecordService: ServiceToken<SchemaRecord> = service('schema-record')
