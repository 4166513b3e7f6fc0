import { isConnectionLost } from '../../connection-error.ts'
import { DatabaseError, type DatabaseErrorKind } from '../../database.ts'
import type { Constraint, KnownTables } from '../../known-tables.ts'

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
  '53300': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
}

interface ServerError {
  readonly code?: string
  readonly message?: string
  readonly detail?: string
  readonly table_name?: string
  readonly constraint_name?: string
}

/** Tells an error of the driver or the server as the port promises. */
export function classifyPostgresError(error: unknown, tables: KnownTables): DatabaseError {
  if (error instanceof DatabaseError) return error
  const { code = '', message = String(error) } = error as ServerError
  const kind = kindOf(code)
  const isViolation = kind === 'unique' || kind === 'reference'
  const details = isViolation ? violated(error as ServerError, tables) : {}
  return new DatabaseError(kind, message, { ...details, cause: error })
}

/** Whether an error means that the server cannot be reached, or takes no queries. */
export function isUnavailable(error: unknown): boolean {
  return kindOf((error as ServerError).code ?? '') === 'unavailable'
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
