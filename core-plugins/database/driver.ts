import type { Database, TableSpec } from './database.ts'
import type { SchemaStore } from './sync/schema-store.ts'

/** An open connection to a database of one kind, as the plugin uses it. */
export interface Driver extends Database {
  readonly schema: SchemaStore
  /** Tells what tables there will be, which is what the ids of inserts are answered by. */
  useTables(tables: readonly TableSpec[]): void
  close(): Promise<void>
}
