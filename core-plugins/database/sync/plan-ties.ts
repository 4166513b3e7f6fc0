import type { IndexSpec, ReferenceSpec, TableSpec } from '../database.ts'
import { indexesOf, indexName, referenceName } from './names.ts'
import { mirroredColumns } from './plan-columns.ts'
import type { TableInput } from './plan-input.ts'
import type { LiveReference, LiveTable, SchemaDialect } from './schema-store.ts'
import { judged, type PlannedStep, type Step, safely } from './step.ts'

/** Indexes of ours that are no longer declared, or were made for columns that could be null and now cannot. */
export function staleIndexes(tableInput: TableInput): PlannedStep[] {
  const { table, last, live, input } = tableInput
  const tied = keptReferences(tableInput)
  const wanted = namedIndexes(table, input.dialect)
  const ours = new Map([...(last === undefined ? [] : namedIndexes(last, input.dialect)), ...wanted])
  return [...ours]
    .filter(
      ([name, index]) => live.indexes.has(name) && !(wanted.has(name) && isUpToDate(index, table, live)),
    )
    .filter(([, { columns }]) => !tied.includes(columns[0] ?? ''))
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
      return judged(step, isBroken ? 'existing rows have the same values' : undefined)
    })
}

function namedIndexes(table: TableSpec, dialect: SchemaDialect): Map<string, IndexSpec> {
  const indexes = indexesOf(table).filter((index) => dialect.hasIndex(index, table))
  return new Map(indexes.map((index) => [indexName(table.name, index), index]))
}

// Null is the smallest value. What cannot be null counts as the largest, as the database has it by itself.
function isUpToDate(index: IndexSpec, table: TableSpec, live: LiveTable): boolean {
  const { columns, nullsFirst } = live.indexes.get(indexName(table.name, index)) ?? { columns: [] }
  if (nullsFirst === undefined) return true
  const isNullable = (name: string) => table.columns.find((column) => column.name === name)?.nullable === true
  const goesDown = (name: string) => index.descending?.includes(name) === true
  return columns.every(
    (column, position) => nullsFirst[position] === (isNullable(column) !== goesDown(column)),
  )
}

// Columns that are yet to be added hold nothing that could collide; after they are there, it is planned anew.
function hasDuplicates({ columns }: IndexSpec, { table, live, input }: TableInput): boolean {
  if (!columns.every((name) => live.columns.has(name))) return false
  return input.answer({ about: 'duplicates', table: table.name, columns }) > 0
}

export function staleReferences(input: TableInput): PlannedStep[] {
  const { table, last, live } = input
  const kept = keptReferences(input)
  const wanted = table.references ?? []
  const ours = new Set([...wanted, ...(last?.references ?? [])].map(({ column }) => column))
  return live.references
    .filter(
      (reference) =>
        ours.has(reference.column) && !wanted.some((each) => isSame(each, reference, table.name)),
    )
    .filter(({ column }) => !kept.includes(column))
    .map((reference) => safely({ change: 'drop-reference', table: table.name, reference }))
}

/** Columns of an earlier name whose references stay: MySQL's triggers hear nothing of what those change. */
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
      return judged(step, isBroken ? `existing rows refer to rows that ${target} does not have` : undefined)
    })
}

// By its name too, as errors tell no more of a violated reference than that; it is stale after a rename.
function isSame(wanted: ReferenceSpec, live: LiveReference, table: string): boolean {
  const isNamed = live.constraint === undefined || live.constraint === referenceName(table, wanted.column)
  const { column, onDelete } = wanted
  return isNamed && column === live.column && wanted.table === live.table && onDelete === live.onDelete
}
