import { DatabaseError, type DatabaseErrorKind } from '../../database-error.ts'
import type { Constraint, KnownTables } from '../../schema/known-tables.ts'

const kinds: Readonly<Record<string, DatabaseErrorKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'reference',
  // The code with which `on delete restrict` is reported.
  SQLITE_CONSTRAINT_TRIGGER: 'reference',
  SQLITE_FULL: 'full',
  SQLITE_READONLY: 'read_only',
  SQLITE_READONLY_DBMOVED: 'read_only',
  SQLITE_BUSY: 'busy',
  SQLITE_BUSY_SNAPSHOT: 'deadlock',
  SQLITE_LOCKED: 'busy',
  SQLITE_CANTOPEN: 'unavailable',
  SQLITE_NOTADB: 'unavailable',
}

/** Converts an error of SQLite into a DatabaseError. */
export function classifySqliteError(error: unknown, tables?: KnownTables): DatabaseError {
  if (error instanceof DatabaseError) return error
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  const kind = kinds[code] ?? (code.startsWith('SQLITE_IOERR') ? 'unavailable' : 'other')
  return new DatabaseError(kind, message, { ...violated(message, tables), cause: error })
}

/** `UNIQUE constraint failed: tags.name, tags.locale` */
function violated(message: string, tables: KnownTables | undefined): Partial<Constraint> {
  const list = /^UNIQUE constraint failed: (.+)$/.exec(message)?.[1]
  if (list === undefined) return {}
  const declared = (name: string) => tables?.declaredName(name) ?? name
  const places = list.split(', ').map((place) => place.split('.'))
  const table = places[0]?.[0]
  return {
    ...(table === undefined ? {} : { table: declared(table) }),
    columns: places.flatMap(([, column]) => (column === undefined ? [] : [declared(column)])),
  }
}

/** Whether another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return classifySqliteError(error).kind === 'busy'
}
