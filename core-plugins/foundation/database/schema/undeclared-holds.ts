import { sql } from 'drizzle-orm'
import type { Driver } from '../driver.ts'
import { query } from '../statements/query.ts'
import { madeTables, readState } from '../sync/schema-state.ts'
import { shortenIdentifier } from '../tables/identifier.ts'
import type { TableSpec } from '../tables/table-spec.ts'

/** A reference from a table that is no longer declared, which prevents the deletion of rows. */
interface UndeclaredReference {
  readonly table: string
  readonly column: string
}

/**
 * Finds tables that are no longer declared but whose references prevent rows from being deleted: a type that was
 * removed from the schemas keeps its table, with its references, until an administrator decides about it.
 */
export async function findUndeclaredHolds(
  driver: Driver,
  declared: readonly TableSpec[],
  { table, ids }: { readonly table: string; readonly ids: readonly number[] },
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const found: string[] = []
  for (const reference of await undeclaredReferences(driver, declared, shortenIdentifier(table))) {
    if (await refersTo(driver, reference, ids)) found.push(reference.table)
  }
  return [...new Set(found)]
}

async function undeclaredReferences(
  driver: Driver,
  declared: readonly TableSpec[],
  target: string,
): Promise<readonly UndeclaredReference[]> {
  const names = new Set(declared.map(({ name }) => name))
  return madeTables(await readState(driver, driver.schema))
    .filter(({ name }) => !names.has(name))
    .flatMap(({ name, references = [] }) =>
      references
        .filter(({ table, onDelete }) => table === target && onDelete === 'restrict')
        .map(({ column }) => ({ table: name, column })),
    )
}

/** The message to administrators about such tables. */
export function explainHolds(tables: readonly string[]): string {
  const remedy =
    'declare their types again and change the entries, or drop the tables with a database sync that allows losses'
  return `is kept by rows of ${tables.join(', ')}, which the schemas do not have any more: ${remedy}`
}

/** The same as details per table; `what` is the row to be deleted, such as `article 7`. */
export function holdDetails(tables: readonly string[], what: string) {
  return tables.map((path) => ({ path, code: 'undeclared', message: `refers to ${what}` }))
}

async function refersTo(
  driver: Driver,
  { table, column }: UndeclaredReference,
  ids: readonly number[],
): Promise<boolean> {
  const search = query<{ found: number }>(
    driver,
    (_, inList) => sql`select 1 as ${sql.identifier('found')} from ${sql.identifier(table)}
      where ${inList(sql`${sql.identifier(column)}`, 'ids', 'id')} limit 1`,
    { found: { column: 'found', kind: 'integer' } },
  )
  try {
    return (await search.get({ ids })) !== undefined
  } catch (error) {
    // The table was dropped after the record was read.
    if (driver.schema.isMissingTable(error)) return false
    throw error
  }
}
