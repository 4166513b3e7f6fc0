import type { DialectName } from '../../../foundation/database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { DocumentRow } from './document-row.ts'
import { mysqlRow } from './mysql-row.ts'
import { postgresRow } from './postgres-row.ts'
import { sqliteRow } from './sqlite-row.ts'

/** Converts a document to the form of the engine of each database. */
export const rowOf: Readonly<Record<DialectName, (document: SearchDocument) => DocumentRow>> = {
  sqlite: sqliteRow,
  postgres: postgresRow,
  mysql: mysqlRow,
}
