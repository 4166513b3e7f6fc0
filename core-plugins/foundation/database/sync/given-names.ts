import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Driver } from '../driver.ts'
import type { TableSpec } from '../tables/table-spec.ts'
import { isText } from './conversion.ts'
import { isOutdated, takenName } from './mirror.ts'
import { replaces } from './plan-rename.ts'
import { hashOf, madeTables, type SchemaState } from './schema-state.ts'
import type { Step } from './step.ts'

/** A column that is no more what it is for processes of an earlier version: its name now belongs to another attribute, for one. */
export interface GivenName {
  readonly table: string
  readonly column: string
}

/** What the start of one version gave to other attributes, or what was lost on demand. */
export interface GivenNames {
  readonly id: string
  /** Of the tables that it declares. */
  readonly hash: string
  readonly names: readonly GivenName[]
}

/** How long a process goes on without looking for names that were given away. */
export const lookEveryMs = 2_000

/** A query that was let through by then is done. */
const marginMs = 1_000

/** Longer than a process of an earlier version may be thought to run beside later ones. */
const keptMs = 7 * 24 * 60 * 60 * 1000

const prefix = 'given:'

/** The names that a start gives to other attributes while processes that know the earlier ones may be running. */
export function findGivenNames(state: SchemaState | undefined, declared: readonly TableSpec[]): GivenName[] {
  return madeTables(state).flatMap((last) => {
    const table = declared.find(({ name }) => name === last.name)
    if (table === undefined) return []
    const recent = (last.mirrors ?? []).filter((mirror) => !isOutdated(mirror))
    const taken = recent.flatMap((mirror) => takenName(mirror, table, last) ?? [])
    const replaced = table.columns.filter((column) => replaces(column, table, last)).map(({ name }) => name)
    return [...taken, ...replaced].map((column) => ({ table: table.name, column }))
  })
}

/** The columns that are about to be dropped, or to lose values of theirs. Texts that are cut are texts all the same. */
export function findLostColumns(steps: readonly Step[]): GivenName[] {
  return steps.flatMap((step): GivenName[] => {
    switch (step.change) {
      case 'drop-table':
        return step.table.columns.map(({ name }) => ({ table: step.table.name, column: name }))
      case 'drop-column':
        return [{ table: step.table, column: step.column.name }]
      case 'convert-column':
        return isText(step.from.kind) && isText(step.column.kind)
          ? []
          : [{ table: step.table, column: step.column.name }]
      default:
        return []
    }
  })
}

/** Writes down what is about to be given away or lost, and returns once processes that know the names have stopped using them. */
export async function announceGivenNames(
  driver: Driver,
  declared: readonly TableSpec[],
  names: readonly GivenName[],
): Promise<void> {
  const { dialect } = driver
  // A file of SQLite is not shared by processes of two versions, and the sync alone can write it now.
  if (dialect.name === 'sqlite') return
  const value = (name: string, kind: 'string' | 'json' | 'datetime') => dialect.placeholder(name, kind)
  const forget = driver.prepare(
    sql`delete from svc_schema_state where name like ${`${prefix}%`} and applied_at < ${value('before', 'datetime')}`,
  )
  const add = driver.prepare(sql`insert into svc_schema_state (name, hash, tables, blocked, applied_at) values
    (${value('name', 'string')}, ${value('hash', 'string')}, ${value('names', 'json')}, ${value('none', 'json')},
    ${value('at', 'datetime')})`)
  const now = Date.now()
  await driver.run(forget, { before: dialect.bind(new Date(now - keptMs).toISOString(), 'datetime') })
  await driver.run(add, {
    name: `${prefix}${randomUUID()}`,
    hash: hashOf(declared),
    names: dialect.bind(names, 'json'),
    none: dialect.bind([], 'json'),
    at: dialect.bind(new Date(now).toISOString(), 'datetime'),
  })
  await delay(lookEveryMs + marginMs)
}

/** Reads what was given away in the last days; nothing before the first sync. */
export function givenNamesReader(driver: Driver): () => Promise<readonly GivenNames[]> {
  const statement = driver.prepare<GivenNames>(
    sql`select name as ${sql.identifier('id')}, hash, tables as ${sql.identifier('names')} from svc_schema_state
      where name like ${`${prefix}%`}`,
    { id: 'string', hash: 'string', names: 'json' },
  )
  return async () => {
    try {
      return await driver.all(statement)
    } catch (error) {
      if (driver.schema.isMissingTable(error)) return []
      throw error
    }
  }
}
