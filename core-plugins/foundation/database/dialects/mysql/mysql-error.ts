import { isConnectionLost } from '../../connections/connection-error.ts'
import { DatabaseError, type DatabaseErrorKind } from '../../database-error.ts'
import type { Constraint, KnownTables } from '../../schema/known-tables.ts'

/** ER_MAX_PREPARED_STMT_COUNT_REACHED: the statement was not prepared, so it has not run. */
const tooManyStatements = 1461

// https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html; 1020, 1927 and 1969 are MariaDB's.
const kinds: Readonly<Record<number, DatabaseErrorKind>> = {
  1020: 'deadlock',
  1021: 'full',
  1040: 'busy',
  1048: 'unfit',
  1053: 'unavailable',
  1054: 'unfit',
  1062: 'unique',
  1114: 'full',
  1146: 'unfit',
  1203: 'busy',
  1205: 'busy',
  1213: 'deadlock',
  1216: 'reference',
  1217: 'reference',
  1226: 'busy',
  1264: 'unfit',
  1265: 'unfit',
  1290: 'read_only',
  1292: 'unfit',
  1317: 'busy',
  1364: 'unfit',
  1366: 'unfit',
  1406: 'unfit',
  1411: 'unfit',
  1451: 'reference',
  1452: 'reference',
  [tooManyStatements]: 'busy',
  1586: 'unique',
  1792: 'read_only',
  1836: 'read_only',
  1927: 'unavailable',
  1969: 'busy',
  3024: 'busy',
  3572: 'busy',
}

/** ER_ERROR_ON_WRITE and ER_GET_ERRNO give the cause in words only. */
const systemErrors: ReadonlySet<number> = new Set([1026, 1030])
const noSpaceLeft = /(?:errno:|got error) (?:28|122)\b/i

interface ServerError {
  readonly code?: string
  readonly errno?: number
  readonly message?: string
  readonly fatal?: boolean
}

/** Converts an error of the driver or the server into a DatabaseError; `text` is the statement's. */
export function classifyMysqlError(error: unknown, tables: KnownTables, text = ''): DatabaseError {
  if (error instanceof DatabaseError) return error
  const { message = String(error) } = error as ServerError
  const kind = kindOf(error as ServerError)
  return new DatabaseError(kind, message, {
    ...violated(kind, message, text, tables),
    ...(lacksStatements(error) ? { mayRepeat: true } : {}),
    cause: error,
  })
}

/** Whether a statement was refused because the server's limit of prepared statements is reached. */
export function lacksStatements(error: unknown): boolean {
  return (error as ServerError | null)?.errno === tooManyStatements
}

/** Whether the server is unreachable, or accepts no queries. */
export function isUnavailable(error: unknown): boolean {
  return kindOf(error as ServerError) === 'unavailable'
}

function kindOf({ code, errno = 0, fatal, message = '' }: ServerError): DatabaseErrorKind {
  if (systemErrors.has(errno) && noSpaceLeft.test(message)) return 'full'
  const isLost = isConnectionLost(code) || (fatal === true && errno < 1000)
  return kinds[errno] ?? (isLost ? 'unavailable' : 'other')
}

function violated(
  kind: DatabaseErrorKind,
  message: string,
  text: string,
  tables: KnownTables,
): Partial<Constraint> {
  if (kind === 'unique') return violatedKey(message, text, tables)
  if (kind !== 'reference') return {}
  const name = /CONSTRAINT [`"]([^`"]+)[`"]/.exec(message)?.[1] ?? ''
  return tables.constraint(name) ?? {}
}

/** `Duplicate entry 'a' for key 'ux_tags__name'`, with the table before the name on MySQL 8. */
function violatedKey(message: string, text: string, tables: KnownTables): Partial<Constraint> {
  const key = /for key '([^']+)'$/.exec(message)?.[1] ?? ''
  const name = key.slice(key.lastIndexOf('.') + 1)
  if (name !== 'PRIMARY') return tables.constraint(name) ?? {}
  const table = /^\s*(?:insert\s+into|replace\s+into|update)\s+["`]?(\w+)/i.exec(text)?.[1]
  return (table === undefined ? undefined : tables.primaryKey(table)) ?? {}
}
