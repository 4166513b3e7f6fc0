import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { SchemaChange } from '../schema/schema-change.ts'
import type { Queries } from '../statements/query-target.ts'
import type { Statement } from '../statements/statement.ts'
import type { TableSpec } from '../tables/table-spec.ts'
import type { MadeTable } from './mirror.ts'
import type { SchemaConnection, SchemaStore } from './schema-store.ts'

/** The database's record of the last sync. */
export interface SchemaState {
  /** The hash of all declared tables. */
  readonly hash: string
  /** All tables created, as they were created, including those no longer declared. */
  readonly tables: readonly MadeTable[]
  /** Changes that were not applied because they could lose data. */
  readonly blocked: readonly SchemaChange[]
}

/** The tables created, with parts that still exist but are no longer declared: all of these are listed as blocked. */
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

// Increment it when the same specs lead to other tables, or to other changes left undone, than before, so that all
// databases are checked again.
const layoutVersion = 3

/** The same for the same tables, contributed in any order. */
export function hashOf(tables: readonly TableSpec[]): string {
  const sorted = [...tables].sort((left, right) => (left.name < right.name ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([layoutVersion, sorted]))
    .digest('hex')
}

const rowName = 'schema'
/**
 * The name of the row with the tables known to the last sync. Versions that do not write it leave one with an earlier
 * hash.
 */
const knownRowName = 'known tables'

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

/** What shows whether the row was written again. */
export interface SchemaVersion {
  readonly hash: string
  readonly appliedAt: string
}

/** Reads the version of the last sync; undefined before the first. */
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

/** The names of the tables that were declared at the last sync. */
export interface KnownToLastSync {
  /**
   * The hash of the sync that wrote this; it differs from the hash of the state if a version that does not write this
   * has synced since.
   */
  readonly hash: string
  readonly names: readonly string[]
}

/** Reads the tables known to the last sync; undefined if that was never recorded. */
export function knownReader(driver: Preparer & Queries) {
  const statement: Statement<KnownToLastSync> = driver.prepare(
    sql`select hash, tables as ${sql.identifier('names')} from svc_schema_state where name = ${knownRowName}`,
    { hash: 'string', names: 'json' },
  )
  return async (): Promise<KnownToLastSync | undefined> => driver.get(statement)
}

/** Writes the rows; their table must exist. */
export async function writeState(
  connection: Queries & Preparer,
  state: SchemaState,
  known: readonly string[],
): Promise<void> {
  const { dialect } = connection
  const value = (name: string, kind: 'string' | 'json' | 'datetime') => dialect.placeholder(name, kind)
  const remove = connection.prepare(
    sql`delete from svc_schema_state where name in (${rowName}, ${knownRowName})`,
  )
  const insert =
    connection.prepare(sql`insert into svc_schema_state (name, hash, tables, blocked, applied_at) values
    (${value('name', 'string')}, ${value('hash', 'string')}, ${value('tables', 'json')}, ${value('blocked', 'json')},
    ${value('at', 'datetime')})`)
  const at = dialect.bind(new Date().toISOString(), 'datetime')
  const write = (name: string, tables: unknown, blocked: unknown) =>
    connection.run(insert, {
      ...{ name, hash: state.hash, at },
      tables: dialect.bind(tables, 'json'),
      blocked: dialect.bind(blocked, 'json'),
    })
  await connection.run(remove)
  await write(knownRowName, known, [])
  await write(rowName, state.tables, state.blocked)
}
