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

/**
 * A column that processes of an earlier version must no longer use, for example because its name now belongs to
 * another attribute.
 */
export interface GivenName {
  readonly table: string
  readonly column: string
}

/** The names that a start of a newer version gave to other attributes, or whose values were lost on demand. */
export interface GivenNames {
  readonly id: string
  /** The hash of the tables that it declares. */
  readonly hash: string
  readonly names: readonly GivenName[]
}

/** How long a process may go on without checking for such names, in milliseconds. */
export const lookEveryMs = 2_000

/** After this margin, queries that were allowed before are done. */
const marginMs = 1_000

/** Longer than a process of an earlier version is expected to run alongside later ones. */
const keptMs = 7 * 24 * 60 * 60 * 1000

const prefix = 'given:'

/**
 * The names that a start gives to other attributes while processes that use them in their earlier meaning may be
 * running.
 */
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

/** The columns that are about to be dropped or to lose values. Truncated texts do not count: they are still texts. */
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

/**
 * Announces which names are about to be reassigned or lose data, and returns once processes that use them have
 * stopped doing so.
 */
export async function announceGivenNames(
  driver: Driver,
  declared: readonly TableSpec[],
  names: readonly GivenName[],
): Promise<void> {
  const { dialect } = driver
  // A SQLite file is not shared by processes of two versions, and only the sync can write to it now.
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

/** Reads the announcements of the last days; empty before the first sync. */
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
