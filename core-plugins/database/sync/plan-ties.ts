import type { IndexSpec, ReferenceSpec, TableSpec } from '../database.ts'
import { indexesOf, indexName, referenceName } from './names.ts'
import type { TableInput } from './plan-input.ts'
import type { LiveReference, LiveTable, SchemaDialect } from './schema-store.ts'
import { judged, type PlannedStep, type Step, safely } from './step.ts'

/** Indexes of ours that are no longer declared, or were made for columns that could be null and now cannot. */
export function staleIndexes({ table, last, live, input }: TableInput): PlannedStep[] {
  const wanted = namedIndexes(table, input.dialect)
  const ours = new Map([...(last === undefined ? [] : namedIndexes(last, input.dialect)), ...wanted])
  return [...ours]
    .filter(([name]) => live.indexes.has(name) && !(wanted.has(name) && isUpToDate(name, table, live)))
    .map(([name, index]) => safely({ change: 'drop-index', table: table.name, name, index }))
}

export function missingIndexes(tableInput: TableInput): PlannedStep[] {
  const { table, live, input } = tableInput
  return [...namedIndexes(table, input.dialect)]
    .filter(([name]) => !live.indexes.has(name) || !isUpToDate(name, table, live))
    .map(([, index]) => {
      const isUnique = index.type === 'unique'
      const step: Step = { change: isUnique ? 'create-unique-index' : 'create-index', table, index }
      const isBroken = isUnique && hasDuplicates(index, tableInput)
      return judged(step, isBroken ? 'existing rows have the same values' : undefined)
    })
}

function namedIndexes(table: TableSpec, dialect: SchemaDialect): Map<string, IndexSpec> {
  const indexes = indexesOf(table).filter((index) => dialect.hasIndex(index.type))
  return new Map(indexes.map((index) => [indexName(table.name, index), index]))
}

function isUpToDate(name: string, table: TableSpec, live: LiveTable): boolean {
  const { columns, nullsFirst } = live.indexes.get(name) ?? { columns: [] }
  if (nullsFirst === undefined) return true
  const isNullable = (name: string) => table.columns.find((column) => column.name === name)?.nullable === true
  return columns.every((column, position) => isNullable(column) === nullsFirst[position])
}

// Columns that are yet to be added hold nothing that could collide; after they are there, it is planned anew.
function hasDuplicates({ columns }: IndexSpec, { table, live, input }: TableInput): boolean {
  if (!columns.every((name) => live.columns.has(name))) return false
  return input.answer({ about: 'duplicates', table: table.name, columns })
}

export function staleReferences({ table, last, live }: TableInput): PlannedStep[] {
  const wanted = table.references ?? []
  const ours = new Set([...wanted, ...(last?.references ?? [])].map(({ column }) => column))
  return live.references
    .filter(
      (reference) =>
        ours.has(reference.column) && !wanted.some((each) => isSame(each, reference, table.name)),
    )
    .map((reference) => safely({ change: 'drop-reference', table: table.name, reference }))
}

export function missingReferences({ table, live, input }: TableInput): PlannedStep[] {
  return (table.references ?? [])
    .filter((reference) => !live.references.some((each) => isSame(reference, each, table.name)))
    .map((reference) => {
      const step: Step = { change: 'add-reference', table: table.name, reference }
      const { column, table: target } = reference
      const canAsk = live.columns.has(column) && input.live.has(target)
      const isBroken = canAsk && input.answer({ about: 'orphans', table: table.name, column, target })
      return judged(step, isBroken ? `existing rows refer to rows that ${target} does not have` : undefined)
    })
}

// By its name too, as errors tell no more of a violated reference than that; it is stale after a rename.
function isSame(wanted: ReferenceSpec, live: LiveReference, table: string): boolean {
  const isNamed = live.constraint === undefined || live.constraint === referenceName(table, wanted.column)
  const { column, onDelete } = wanted
  return isNamed && column === live.column && wanted.table === live.table && onDelete === live.onDelete
}
