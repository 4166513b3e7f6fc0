import type { Database } from './database-service.ts'
import type { SchemaStore } from './sync/schema-store.ts'
import type { TableSpec } from './tables/table-spec.ts'

/** An open connection to a database, as the database plugin uses it. */
export interface Driver extends Database {
  readonly schema: SchemaStore
  /** Announces the declared tables: inserts need them to return ids. */
  useTables(tables: readonly TableSpec[]): void
  close(): Promise<void>
}
