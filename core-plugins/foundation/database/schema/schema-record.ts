import { type ServiceToken, service } from '../../../../kernel/index.ts'

/** What the syncs have created; of another plugin's tables it reports only what was declared. */
export interface SchemaRecord {
  /** Whether the last sync created the column because it was declared. */
  declared(table: string, column: string): Promise<boolean>
  /** Whether a sync has made the column, declared or not. */
  exists(table: string, column: string): Promise<boolean>
  /** The tables that nothing declares any more whose rows keep one of some rows from being deleted. */
  undeclaredHolds(table: string, ids: readonly number[]): Promise<readonly string[]>
  /**
   * Whether whoever synced before this start knew a table that this process declares: an earlier version may not, nor one
   * without the plugin that it is of. Undefined if nobody did, and in commands, which do not sync; known once the database has booted.
   */
  knewBefore(table: string): boolean | undefined
  /** Tells every few seconds whether whoever synced last, which may be another process, knew a table. */
  watch(table: string, tell: (isKnown: boolean) => Promise<void>): { stop(): Promise<void> }
}

export const schemaRecordService: ServiceToken<SchemaRecord> = service('schema-record')
