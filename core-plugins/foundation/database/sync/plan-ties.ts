import type { IndexSpec, ReferenceSpec, TableSpec } from '../tables/table-spec.ts'
import type { LiveReference, LiveTable } from './live-schema.ts'
import { indexesOf, indexName, referenceName } from './names.ts'
import type { TableInput } from './plan-input.ts'
import { leavingColumns, mirroredColumns } from './plan-mirrors.ts'
import type { SchemaDialect } from './schema-store.ts'
import { type PlannedStep, type Step, safely, safeUnless } from './step.ts'

/**
 * Indexes created by us that are no longer declared, or whose columns were nullable when they were created and no
 * longer are.
 */
export function staleIndexes(tableInput: TableInput): PlannedStep[] {
  const { table, last, live, input } = tableInput
  const tied = keptReferences(tableInput)
  const leaving = leavingColumns(tableInput)
  const isLeaving = (name: string) => live.indexes.get(name)?.columns.some((each) => leaving.includes(each))
  const wanted = namedIndexes(table, input.dialect)
  const standIns = (last?.standIns ?? []).map((index) => [indexName(table.name, index), index] as const)
  const ours = new Map([...(last === undefined ? [] : namedIndexes(last, input.dialect)), ...wanted])
  // Stand-in indexes are dropped once the plan is carried out, or earlier together with a column that is dropped.
  const leavingStandIns = standIns.filter(([name]) => !ours.has(name) && isLeaving(name))
  return [...ours, ...leavingStandIns]
    .filter(
      ([name, index]) =>
        live.indexes.has(name) && (isLeaving(name) || !(wanted.has(name) && isUpToDate(index, table, live))),
    )
    .filter(([name, { columns }]) => isLeaving(name) || !tied.includes(columns[0] ?? ''))
    .map(([name, index]) => safely({ change: 'drop-index', table: table.name, name, index }))
}

export function missingIndexes(tableInput: TableInput): PlannedStep[] {
  const { table, live, input } = tableInput
  return [...namedIndexes(table, input.dialect)]
    .filter(([name, index]) => !live.indexes.has(name) || !isUpToDate(index, table, live))
    .map(([, index]) => {
      const isUnique = index.type === 'unique'
      const step: Step = { change: isUnique ? 'create-unique-index' : 'create-index', table, index }
      const isBroken = isUnique && hasDuplicates(index, tableInput)
      return safeUnless(step, isBroken ? 'existing rows have the same values' : undefined)
    })
}

function namedIndexes(table: TableSpec, dialect: SchemaDialect): Map<string, IndexSpec> {
  const indexes = indexesOf(table).filter((index) => dialect.hasIndex(index, table))
  return new Map(indexes.map((index) => [indexName(table.name, index), index]))
}

// Null is the smallest value. In columns that cannot be null it counts as the largest, the default of the
// database.
function isUpToDate(index: IndexSpec, table: TableSpec, live: LiveTable): boolean {
  const { columns, nullsFirst } = live.indexes.get(indexName(table.name, index)) ?? { columns: [] }
  if (nullsFirst === undefined) return true
  const isNullable = (name: string) => table.columns.find((column) => column.name === name)?.nullable === true
  const goesDown = (name: string) => index.descending?.includes(name) === true
  return columns.every(
    (column, position) => nullsFirst[position] === (isNullable(column) !== goesDown(column)),
  )
}

// Columns that do not exist yet have no equal values; once they exist, a new plan is made.
function hasDuplicates({ columns }: IndexSpec, { table, live, input }: TableInput): boolean {
  if (!columns.every((name) => live.columns.has(name))) return false
  return input.answer({ about: 'duplicates', table: table.name, columns }) > 0
}

export function staleReferences(input: TableInput): PlannedStep[] {
  const { table, last, live } = input
  const kept = keptReferences(input)
  const leaving = leavingColumns(input)
  const wanted = (table.references ?? []).filter(({ column }) => !leaving.includes(column))
  const ours = new Set([...wanted, ...(last?.references ?? [])].map(({ column }) => column))
  return live.references
    .filter(
      (reference) =>
        leaving.includes(reference.column) ||
        (ours.has(reference.column) && !wanted.some((each) => isSame(each, reference, table.name))),
    )
    .filter(({ column }) => !kept.includes(column))
    .map((reference) => safely({ change: 'drop-reference', table: table.name, reference }))
}

/** Columns under an earlier name that keep their references: MySQL's triggers do not fire for cascaded changes. */
function keptReferences(input: TableInput): readonly string[] {
  const mirrored = mirroredColumns(input)
  return input.live.references.map(({ column }) => column).filter((column) => mirrored.includes(column))
}

export function missingReferences({ table, live, input }: TableInput): PlannedStep[] {
  return (table.references ?? [])
    .filter((reference) => !live.references.some((each) => isSame(reference, each, table.name)))
    .map((reference) => {
      const step: Step = { change: 'add-reference', table: table.name, reference }
      const { column, table: target } = reference
      const canAsk = live.columns.has(column) && input.live.has(target)
      const isBroken = canAsk && input.answer({ about: 'orphans', table: table.name, column, target }) > 0
      return safeUnless(
        step,
        isBroken ? `existing rows refer to rows that ${target} does not have` : undefined,
      )
    })
}

// Compared by name too, as errors report only the name of a violated reference; it is stale after a rename.
function isSame(wanted: ReferenceSpec, live: LiveReference, table: string): boolean {
  const isNamed = live.constraint === undefined || live.constraint === referenceName(table, wanted.column)
  const { column, onDelete } = wanted
  return isNamed && column === live.column && wanted.table === live.table && onDelete === live.onDelete
}
