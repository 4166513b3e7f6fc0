import type { DialectName } from '../../../foundation/database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { DocumentRow } from './document-row.ts'
import { mysqlRow } from './mysql-row.ts'
import { postgresRow } from './postgres-row.ts'
import { sqliteRow } from './sqlite-row.ts'

/** A document as the engine of each database stores it. */
export const rowOf: Readonly<Record<DialectName, (document: SearchDocument) => DocumentRow>> = {
  sqlite: sqliteRow,
  postgres: postgresRow,
  mysql: mysqlRow,
}
