import type { ReferenceSpec } from '../../../foundation/database/database.ts'
import type { SectionTable } from '../section-tables.ts'

/** A table in its turn, with the columns that can be filled only once all tables are. */
export interface OrderedTable {
  readonly table: SectionTable
  readonly deferred: ReadonlySet<string>
}

/**
 * Orders tables so that each comes after those that it refers to. In circular references, or references of a
 * table to itself, nullable columns are deferred.
 */
export function inOrderOfReferences(tables: readonly SectionTable[]): OrderedTable[] {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: OrderedTable[] = []
  while (waiting.size > 0) {
    const open = (table: SectionTable) => referencesWithin(table, waiting)
    const next = leastBy([...waiting.values()], (table) => mustWait(table, open(table)))
    ordered.push({ table: next, deferred: new Set(open(next).map(({ column }) => column)) })
    waiting.delete(next.name)
  }
  return ordered
}

function referencesWithin(table: SectionTable, waiting: ReadonlyMap<string, SectionTable>): ReferenceSpec[] {
  return (table.spec.references ?? []).filter((reference) => waiting.has(reference.table))
}

/** The cost of taking a table now: none, deferring columns, or required columns that cannot be deferred. */
function mustWait(table: SectionTable, open: readonly ReferenceSpec[]): number {
  const columns = new Map(table.spec.columns.map((column) => [column.name, column]))
  const isRequired = open.some(({ column }) => columns.get(column)?.nullable !== true)
  const toOthers = open.filter((reference) => reference.table !== table.name).length
  return isRequired ? Infinity : toOthers
}

function leastBy(tables: readonly SectionTable[], weigh: (table: SectionTable) => number): SectionTable {
  const [first, ...rest] = tables
  if (first === undefined) throw new Error('there is no table to choose from')
  let best = { table: first, weight: weigh(first) }
  for (const table of rest) {
    const weight = weigh(table)
    if (weight < best.weight) best = { table, weight }
  }
  if (best.weight === Infinity) {
    throw new Error(`${best.table.name} and others refer to each other in a circle of required columns`)
  }
  return best.table
}
