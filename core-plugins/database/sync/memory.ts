import type { ColumnSpec, TableSpec } from '../database.ts'
import { indexName } from './names.ts'
import type { LiveSchema, LiveTable } from './schema-store.ts'
import { type PlannedStep, type Step, tableOf } from './step.ts'

/** The remembered tables after steps that the database's own types do not show. */
export function remember(steps: readonly Step[], tables: readonly TableSpec[]): readonly TableSpec[] {
  return steps.reduce(
    (remembered, step) =>
      remembered.map((table) => (table.name === tableOf(step) ? rememberStep(step, table) : table)),
    tables,
  )
}

function rememberStep(step: Step, table: TableSpec): TableSpec {
  switch (step.change) {
    case 'rename-column':
      return renamed(table, step.from, step.column)
    case 'widen-column':
    case 'convert-column':
      return withColumns(table, (column) => (column.name === step.column.name ? step.column : column))
    default:
      return table
  }
}

// Its indexes keep their names in the database, so they are remembered by the old one.
function renamed(table: TableSpec, from: string, to: string): TableSpec {
  const references = (table.references ?? []).map((reference) =>
    reference.column === from ? { ...reference, column: to } : reference,
  )
  const columns = table.columns.map((column) => (column.name === from ? { ...column, name: to } : column))
  return { ...table, columns, references }
}

function withColumns(table: TableSpec, change: (column: ColumnSpec) => ColumnSpec): TableSpec {
  return { ...table, columns: table.columns.map(change) }
}

/**
 * What there is after a sync, for the next one to compare with: the declared tables and those of earlier starts, each
 * without what is not there, and with the old kind of a column that could not be converted.
 */
export function appliedTables(
  declared: readonly TableSpec[],
  last: readonly TableSpec[],
  live: LiveSchema,
  rest: readonly PlannedStep[],
): TableSpec[] {
  const names = new Set([...declared, ...last].map((table) => table.name))
  return [...names].flatMap((name) => {
    const present = live.get(name)
    const earlier = last.find((table) => table.name === name)
    const table = declared.find((each) => each.name === name) ?? earlier
    if (present === undefined || table === undefined) return []
    return [
      {
        ...table,
        columns: appliedColumns(table, earlier, present, rest),
        indexes: appliedIndexes(table, present),
      },
    ]
  })
}

function appliedColumns(
  table: TableSpec,
  earlier: TableSpec | undefined,
  present: LiveTable,
  rest: readonly PlannedStep[],
): ColumnSpec[] {
  const declared = new Set(table.columns.map((column) => column.name))
  const kept = (earlier?.columns ?? []).filter((column) => !declared.has(column.name))
  const unconverted = new Map(
    rest.flatMap(({ step }) =>
      step.change === 'convert-column' && step.table === table.name ? [[step.column.name, step.from]] : [],
    ),
  )
  return [...table.columns, ...kept.map((column) => ({ ...column, nullable: true }))]
    .filter((column) => present.columns.has(column.name))
    .map((column) => unconverted.get(column.name) ?? column)
}

function appliedIndexes(table: TableSpec, present: LiveTable) {
  return (table.indexes ?? []).filter((index) => present.indexes.has(indexName(table.name, index)))
}
