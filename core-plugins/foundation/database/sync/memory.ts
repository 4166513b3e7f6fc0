import type { ColumnSpec, TableSpec } from '../tables/table-spec.ts'
import { convertJson } from './json/convert-json.ts'
import type { LiveSchema, LiveTable } from './live-schema.ts'
import type { MadeTable, Mirror } from './mirror.ts'
import { indexName } from './names.ts'
import { wantedStandIns } from './stand-ins.ts'
import { type PlannedStep, type Step, type StepOf, tableOf } from './step.ts'

/** Updates the remembered tables after steps whose effect the database's own types do not show. */
export function remember(steps: readonly Step[], tables: readonly MadeTable[]): readonly MadeTable[] {
  return steps.reduce(
    (remembered, step) =>
      remembered.map((table) => (table.name === tableOf(step) ? rememberStep(step, table) : table)),
    tables,
  )
}

function rememberStep(step: Step, table: MadeTable): MadeTable {
  switch (step.change) {
    case 'rename-column':
      return step.mirrored.length > 0 ? mirrored(table, step) : renamed(table, step.from, step.column)
    case 'fill-column':
      return known(table, step)
    case 'drop-column':
      return step.mirror === undefined ? table : unmirrored(table, step.mirror.ended.column, step.column.name)
    case 'widen-column':
      return withColumn(table, step.column)
    case 'convert-column':
      return withColumn(table, { ...step.column, ...(step.inside && { shape: step.inside.shape() }) })
    case 'drop-attribute':
    case 'drop-component':
    case 'convert-attribute':
      return withColumns(table, (column) =>
        column.name === step.column.name && column.shape !== undefined
          ? { ...column, shape: step.loss.without(column.shape) }
          : column,
      )
    default:
      return table
  }
}

// Its indexes keep their names in the database, so they are remembered under the old one.
function renamed(table: MadeTable, from: string, to: string): MadeTable {
  const references = (table.references ?? []).map((reference) =>
    reference.column === from ? { ...reference, column: to } : reference,
  )
  const columns = table.columns.map((column) => (column.name === from ? { ...column, name: to } : column))
  return { ...table, columns, references }
}

function known(table: MadeTable, { column, from }: StepOf<'fill-column'>): MadeTable {
  const like = table.columns.find(({ name }) => name === from)
  const isNew = like !== undefined && !table.columns.some(({ name }) => name === column)
  return {
    ...table,
    columns: isNew ? [...table.columns, { ...like, name: column, nullable: true }] : table.columns,
    unused: (table.unused ?? []).filter((name) => name !== column),
  }
}

function mirrored(table: MadeTable, { from, column }: StepOf<'rename-column'>): MadeTable {
  const others = table.columns.filter(({ name }) => name !== column)
  const copies = others.filter(({ name }) => name === from).map((copy) => ({ ...copy, name: column }))
  const mirror: Mirror = { column, earlier: from, since: new Date().toISOString() }
  // The names before the earlier one are now earlier names of this one.
  const earlier = (table.mirrors ?? [])
    .map((each) => (each.column === from ? { ...each, column } : each))
    .filter((each) => each.earlier !== column)
  return { ...table, columns: [...others, ...copies], mirrors: [...earlier, mirror] }
}

function unmirrored(table: MadeTable, column: string, dropped: string): MadeTable {
  return {
    ...table,
    columns: table.columns.filter(({ name }) => name !== dropped),
    mirrors: (table.mirrors ?? []).filter(
      (mirror) => mirror.column !== column || (dropped !== column && mirror.earlier !== dropped),
    ),
  }
}

/**
 * Without the mirrors of which a column is missing: MySQL was interrupted, and a new column with that name will be
 * another attribute.
 */
export function withoutGoneMirrors(tables: readonly MadeTable[], live: LiveSchema): readonly MadeTable[] {
  return tables.map((table) => {
    const columns = live.get(table.name)?.columns
    if (table.mirrors === undefined || columns === undefined) return table
    const mirrors = table.mirrors.filter(({ column, earlier }) => columns.has(column) && columns.has(earlier))
    return { ...table, mirrors }
  })
}

function withColumn(table: MadeTable, changed: ColumnSpec): MadeTable {
  return withColumns(table, (column) => (column.name === changed.name ? changed : column))
}

function withColumns(table: MadeTable, change: (column: ColumnSpec) => ColumnSpec): MadeTable {
  return { ...table, columns: table.columns.map(change) }
}

/**
 * What exists after a sync, for the next one to compare with: the declared tables and those of earlier starts,
 * without missing parts, and with the old kind of columns that could not be converted.
 */
export function appliedTables(
  declared: readonly TableSpec[],
  last: readonly MadeTable[],
  live: LiveSchema,
  rest: readonly PlannedStep[],
): MadeTable[] {
  const names = new Set([...declared, ...last].map((table) => table.name))
  const standIns = wantedStandIns(rest)
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
        standIns: standIns.get(name) ?? [],
        ...mirroredParts(table, earlier, present),
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
    .map((column) => {
      const held = unconverted.get(column.name)
      return held === undefined ? withKeptParts(column, earlier) : { ...held, ...earlierNameOf(column) }
    })
}

const earlierNameOf = ({ renamedFrom }: ColumnSpec) => (renamedFrom === undefined ? {} : { renamedFrom })

/** Includes parts that its JSON still contains although they are no longer declared. */
function withKeptParts(column: ColumnSpec, earlier: TableSpec | undefined): ColumnSpec {
  const made = earlier?.columns.find(({ name }) => name === column.name)?.shape
  if (made === undefined || column.shape === undefined) return column
  return { ...column, shape: convertJson(made, column.shape).shape() }
}

/** Columns under earlier names, with the references through them, for as long as they exist. */
function mirroredParts(
  { references = [] }: TableSpec,
  earlier: MadeTable | undefined,
  present: LiveTable,
): Pick<MadeTable, 'mirrors' | 'references'> {
  const isThere = (name: string) => present.columns.has(name)
  const mirrors = (earlier?.mirrors ?? []).filter((each) => isThere(each.column) && isThere(each.earlier))
  if (mirrors.length === 0) return { references }
  const isEarlier = (name: string) => mirrors.some((mirror) => mirror.earlier === name)
  const declared = references.map(({ column }) => column)
  const kept = (earlier?.references ?? []).filter(
    ({ column }) => isEarlier(column) && !declared.includes(column),
  )
  return { mirrors, references: [...references, ...kept] }
}

function appliedIndexes(table: TableSpec, present: LiveTable) {
  return (table.indexes ?? []).filter((index) => present.indexes.has(indexName(table.name, index)))
}
