import type { Database } from './database-service.ts'
import type { SchemaStore } from './sync/schema-store.ts'
import type { TableSpec } from './tables/table-spec.ts'

/** An open connection to a database of one kind, as the plugin uses it. */
export interface Driver extends Database {
  readonly schema: SchemaStore
  /** Announces the tables that will exist: inserts need them to return ids. */
  useTables(tables: readonly TableSpec[]): void
  close(): Promise<void>
}
