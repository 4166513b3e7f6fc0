import { isConnectionLost } from '../../connections/connection-error.ts'
import { DatabaseError, type DatabaseErrorKind } from '../../database-error.ts'
import type { Constraint, KnownTables } from '../../schema/known-tables.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const kinds: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'unique',
  '23503': 'reference',
  '23001': 'reference',
  '40P01': 'deadlock',
  '40001': 'deadlock',
  '55P03': 'busy',
  '57014': 'busy',
  '25P03': 'busy',
  '25P02': 'aborted',
  '25006': 'read_only',
  '53100': 'full',
  '53300': 'busy',
  // A database that accepts no connections, temporarily or permanently.
  '55000': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P04': 'unavailable',
  '57P05': 'unavailable',
  ...unfit('0A000', '22001', '22003', '22007', '22008', '22P02', '23502'),
  ...unfit('42703', '42803', '42804', '42846', '42883', '42P01'),
}

/** Codes for statements whose columns or types do not exist, and for values that do not fit their column. */
function unfit(...codes: readonly string[]): Readonly<Record<string, DatabaseErrorKind>> {
  return Object.fromEntries(codes.map((code) => [code, 'unfit']))
}

interface ServerError {
  readonly code?: string
  readonly message?: string
  readonly detail?: string
  readonly table_name?: string
  readonly constraint_name?: string
}

/** Converts an error of the driver or the server into a DatabaseError. */
export function classifyPostgresError(error: unknown, tables: KnownTables): DatabaseError {
  if (error instanceof DatabaseError) return error
  const { code = '', message = String(error) } = error as ServerError
  const kind = kindOf(code)
  const isViolation = kind === 'unique' || kind === 'reference'
  const details = isViolation ? violated(error as ServerError, tables) : {}
  return new DatabaseError(kind, message, { ...details, cause: error })
}

function kindOf(code: string): DatabaseErrorKind {
  const isLost = isConnectionLost(code) || code.startsWith('08')
  return kinds[code] ?? (isLost ? 'unavailable' : 'other')
}

function violated(error: ServerError, tables: KnownTables): Partial<Constraint> {
  const known = tables.constraint(error.constraint_name ?? '')
  if (known !== undefined) return known
  const columns = /^Key \(([^)]+)\)=/.exec(error.detail ?? '')?.[1]?.split(', ')
  return {
    ...(error.table_name === undefined ? {} : { table: error.table_name }),
    ...(columns === undefined ? {} : { columns: columns.map((column) => column.replaceAll('"', '')) }),
  }
}
