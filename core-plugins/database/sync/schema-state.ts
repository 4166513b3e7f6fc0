import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queries } from '../query-target.ts'
import type { SchemaChange } from '../schema-change.ts'
import type { Statement } from '../statement.ts'
import type { TableSpec } from '../table-spec.ts'
import type { MadeTable } from './mirror.ts'
import type { SchemaConnection, SchemaStore } from './schema-store.ts'

/** The database's record of the last sync. */
export interface SchemaState {
  /** Covers all declared tables. */
  readonly hash: string
  /** All tables created, as they were created, including those no longer declared. */
  readonly tables: readonly MadeTable[]
  /** What was not applied because it could lose something. */
  readonly blocked: readonly SchemaChange[]
}

/** The tables created, with what is in them but no longer declared: all of that is listed as blocked. */
export function madeTables(state: SchemaState | undefined): readonly MadeTable[] {
  return (state?.tables ?? []).map((table) => ({
    ...table,
    unused: (state?.blocked ?? []).flatMap((change) =>
      change.change === 'drop-column' && change.table === table.name && change.column !== null
        ? [change.column]
        : [],
    ),
  }))
}

/** One row, created by the first sync. */
export const stateTable: TableSpec = {
  name: 'svc_schema_state',
  columns: [
    { name: 'name', kind: 'string', length: 63 },
    { name: 'hash', kind: 'string', length: 64 },
    { name: 'tables', kind: 'json' },
    { name: 'blocked', kind: 'json' },
    { name: 'applied_at', kind: 'datetime' },
  ],
  primaryKey: ['name'],
}

// Increment it when the same specs lead to other tables than before, or other changes left undone, so that all
// databases are checked again.
const layoutVersion = 2

/** The same for the same tables, in whatever order they were contributed. */
export function hashOf(tables: readonly TableSpec[]): string {
  const sorted = [...tables].sort((left, right) => (left.name < right.name ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([layoutVersion, sorted]))
    .digest('hex')
}

const rowName = 'schema'

type Preparer = Pick<SchemaConnection, 'prepare' | 'dialect'>

/** Reads the row; undefined before the first sync. */
export async function readState(
  connection: Queries & Preparer,
  store: SchemaStore,
): Promise<SchemaState | undefined> {
  const statement: Statement<SchemaState> = connection.prepare(
    sql`select hash, tables as ${sql.identifier('tables')}, blocked from svc_schema_state where name = ${rowName}`,
    { hash: 'string', tables: 'json', blocked: 'json' },
  )
  try {
    return await connection.get(statement)
  } catch (error) {
    if (store.isMissingTable(error)) return undefined
    throw error
  }
}

/** By which one sees whether the row was written anew. */
export interface SchemaVersion {
  readonly hash: string
  readonly appliedAt: string
}

/** Reads when the last sync was; undefined before the first. */
export function versionReader(driver: Preparer & Queries & { readonly schema: SchemaStore }) {
  const statement: Statement<SchemaVersion> = driver.prepare(
    sql`select hash, applied_at as ${sql.identifier('appliedAt')} from svc_schema_state where name = ${rowName}`,
    { hash: 'string', appliedAt: 'datetime' },
  )
  return async (): Promise<SchemaVersion | undefined> => {
    try {
      return await driver.get(statement)
    } catch (error) {
      if (driver.schema.isMissingTable(error)) return undefined
      throw error
    }
  }
}

/** Writes the row; its table must exist. */
export async function writeState(connection: Queries & Preparer, state: SchemaState): Promise<void> {
  const { dialect } = connection
  const remove = connection.prepare(sql`delete from svc_schema_state where name = ${rowName}`)
  const value = (name: string, kind: 'string' | 'json' | 'datetime') => dialect.placeholder(name, kind)
  const insert =
    connection.prepare(sql`insert into svc_schema_state (name, hash, tables, blocked, applied_at) values
    (${rowName}, ${value('hash', 'string')}, ${value('tables', 'json')}, ${value('blocked', 'json')},
    ${value('at', 'datetime')})`)
  await connection.run(remove)
  await connection.run(insert, {
    hash: state.hash,
    tables: dialect.bind(state.tables, 'json'),
    blocked: dialect.bind(state.blocked, 'json'),
    at: dialect.bind(new Date().toISOString(), 'datetime'),
  })
}
