import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSpec } from '../database.ts'
import { conversionOf, describeLoss } from './conversion.ts'
import { indexesOf, indexName, primaryKeyOf, referenceName } from './names.ts'
import type { Answer } from './question.ts'
import type { LiveColumn, LiveReference, LiveSchema, LiveTable, SchemaDialect } from './schema-store.ts'
import type { PlannedStep, Step } from './step.ts'

export interface PlanInput {
  /** What there is to be. */
  readonly declared: readonly TableSpec[]
  /** What earlier starts have made, columns and tables that are no longer declared included. */
  readonly last: readonly TableSpec[]
  /** What there is. */
  readonly live: LiveSchema
  readonly dialect: SchemaDialect
  readonly answer: Answer
}

/**
 * The steps from what there is to what is declared, in an order in which they can be carried out. Only what loses
 * nothing is `safe`. What was never ours is left alone.
 */
export function planSync(input: PlanInput): PlannedStep[] {
  const last = new Map(input.last.map((table) => [table.name, table]))
  const changes = input.declared.map((table): TablePlan => {
    const live = input.live.get(table.name)
    if (live === undefined) return newTable(table)
    return planTable({ table, last: last.get(table.name), live, input })
  })
  const steps = (name: keyof TablePlan) => changes.flatMap((change) => change[name])
  return [...steps('loosened'), ...steps('shaped'), ...steps('tightened'), ...droppedTables(input)]
}

/** The steps of one table by the time at which they are due: the shape of all tables comes before what ties them. */
interface TablePlan {
  /** References and indexes that go. */
  readonly loosened: readonly PlannedStep[]
  /** Tables and columns. */
  readonly shaped: readonly PlannedStep[]
  /** Indexes, references and what is required. */
  readonly tightened: readonly PlannedStep[]
}

interface TableInput {
  readonly table: TableSpec
  readonly last: TableSpec | undefined
  readonly live: LiveTable
  readonly input: PlanInput
}

const safely = (step: Step): PlannedStep => ({ step, safe: true })

const blocked = (step: Step, reason: string): PlannedStep => ({ step, safe: false, reason })

const judged = (step: Step, reason: string | undefined): PlannedStep =>
  reason === undefined ? safely(step) : blocked(step, reason)

function newTable(table: TableSpec): TablePlan {
  const references = table.references ?? []
  return {
    loosened: [],
    shaped: [safely({ change: 'create-table', table })],
    tightened: references.map((reference) =>
      safely({ change: 'add-reference', table: table.name, reference }),
    ),
  }
}

function planTable(input: TableInput): TablePlan {
  const columns = input.table.columns.map((column) => planColumn(column, input))
  return {
    loosened: [...staleReferences(input), ...staleIndexes(input)],
    shaped: [...primaryKey(input), ...columns.flatMap(({ shaped }) => shaped), ...undeclared(input)],
    tightened: [
      ...columns.flatMap(({ tightened }) => tightened),
      ...missingIndexes(input),
      ...missingReferences(input),
    ],
  }
}

function primaryKey({ table, live }: TableInput): PlannedStep[] {
  const columns = primaryKeyOf(table)
  if (columns.join() === live.primaryKey.join()) return []
  const step: Step = { change: 'change-primary-key', table: table.name, columns }
  return [blocked(step, 'a primary key cannot be changed; make a new table and move the rows')]
}

type ColumnPlan = Pick<TablePlan, 'shaped' | 'tightened'>

function planColumn(column: ColumnSpec, input: TableInput): ColumnPlan {
  const present = input.live.columns.get(column.name)
  if (present !== undefined) return changedColumn(column, present, input)
  const earlier = earlierColumn(column, input)
  if (earlier === undefined) {
    return { shaped: [addedColumn(column, input)], tightened: stillRequired(column, input) }
  }
  const { shaped, tightened } = changedColumn(column, earlier, input)
  return { shaped: [renamedColumn(column, earlier, input), ...shaped], tightened }
}

function renamedColumn({ name }: ColumnSpec, earlier: LiveColumn, { table }: TableInput): PlannedStep {
  return safely({ change: 'rename-column', table: table.name, from: earlier.name, column: name })
}

/** The column whose data a renamed one takes over. */
function earlierColumn(
  { name, renamedFrom }: ColumnSpec,
  { table, live }: TableInput,
): LiveColumn | undefined {
  if (renamedFrom === undefined || live.columns.has(name)) return undefined
  const isStillDeclared = table.columns.some((column) => column.name === renamedFrom)
  return isStillDeclared ? undefined : live.columns.get(renamedFrom)
}

/** What an earlier start has made the column; under its earlier name while a rename has just been carried out. */
function lastColumn(table: TableSpec | undefined, { name, renamedFrom }: ColumnSpec): ColumnSpec | undefined {
  const named = (wanted: string | undefined) => table?.columns.find((column) => column.name === wanted)
  return named(name) ?? named(renamedFrom)
}

/** A required column without a default is made nullable where rows would have no value for it. */
function addedColumn(column: ColumnSpec, input: TableInput): PlannedStep {
  const nullable = isUnanswered(column, input) || column.nullable === true
  return safely({ change: 'add-column', table: input.table.name, column: { ...column, nullable } })
}

function stillRequired(column: ColumnSpec, input: TableInput): PlannedStep[] {
  if (!isUnanswered(column, input)) return []
  const step: Step = { change: 'make-required', table: input.table.name, column }
  return [blocked(step, 'existing rows have no value for it, and it has no default')]
}

function isUnanswered(column: ColumnSpec, { table, input }: TableInput): boolean {
  if (column.nullable === true || (column.default ?? null) !== null) return false
  return input.answer({ about: 'rows', table: table.name })
}

function changedColumn(column: ColumnSpec, present: LiveColumn, input: TableInput): ColumnPlan {
  const typed = retyped(column, present, input)
  const isConverted = typed.some(({ step }) => step.change === 'convert-column')
  return {
    shaped: [...typed, ...relaxed(column, present, input)],
    tightened: isConverted ? [] : required(column, present, input),
  }
}

function retyped(column: ColumnSpec, present: LiveColumn, tableInput: TableInput): PlannedStep[] {
  const { table, last, input } = tableInput
  const earlier = lastColumn(last, column)
  const isSameType = input.dialect.columnType(column) === present.type
  const isAsRemembered = earlier !== undefined && input.dialect.columnType(earlier) === present.type
  if (isSameType && !isAsRemembered) return []
  const from = isAsRemembered ? earlier : input.dialect.kindOf(present.type)
  if (from === undefined) return [blocked(convert(table, present, column), 'its type is not known')]
  switch (conversionOf(from, column)) {
    case 'none':
      return []
    case 'widen':
      return isSameType ? [] : [safely({ change: 'widen-column', table: table.name, column })]
    case 'rewrite':
      return [safely(convert(table, present, column, from))]
    case 'lossy':
      return [blocked(convert(table, present, column, from), describeLoss(from, column))]
  }
}

function convert(
  table: TableSpec,
  present: LiveColumn,
  column: ColumnSpec,
  from: Pick<ColumnSpec, 'kind' | 'length'> = { kind: 'text' },
): Step {
  const { kind, length } = from
  const earlier = {
    name: column.name,
    kind,
    nullable: present.nullable,
    ...(length === undefined ? {} : { length }),
  }
  return { change: 'convert-column', table: table.name, from: earlier, column }
}

function relaxed(column: ColumnSpec, present: LiveColumn, { table }: TableInput): PlannedStep[] {
  if (column.nullable !== true || present.nullable) return []
  return [safely({ change: 'make-nullable', table: table.name, column })]
}

function required(column: ColumnSpec, present: LiveColumn, { table, input }: TableInput): PlannedStep[] {
  const isKey = primaryKeyOf(table).includes(column.name)
  if (column.nullable === true || !present.nullable || isKey) return []
  const hasNulls = input.answer({ about: 'nulls', table: table.name, column: present.name })
  const step: Step = { change: 'make-required', table: table.name, column }
  return [judged(step, hasNulls ? 'existing rows have no value for it' : undefined)]
}

/** Columns of ours that are no longer declared: kept, and nullable so that inserts need not know them. */
function undeclared(input: TableInput): PlannedStep[] {
  const { table, live, last } = input
  const taken = new Set(table.columns.flatMap((column) => [column.name, earlierColumn(column, input)?.name]))
  return (last?.columns ?? []).flatMap((column): PlannedStep[] => {
    const present = live.columns.get(column.name)
    if (present === undefined || taken.has(column.name)) return []
    const kept = { ...column, nullable: true }
    const drop: Step = { change: 'drop-column', table: table.name, column: kept }
    const relax: Step = { change: 'make-nullable', table: table.name, column: kept }
    const isKey = live.primaryKey.includes(column.name)
    return [...(present.nullable || isKey ? [] : [safely(relax)]), blocked(drop, 'its values would be lost')]
  })
}

/** Indexes of ours that are no longer declared, or were made for columns that could be null and now cannot. */
function staleIndexes({ table, last, live, input }: TableInput): PlannedStep[] {
  const wanted = namedIndexes(table, input.dialect)
  const ours = new Map([...(last === undefined ? [] : namedIndexes(last, input.dialect)), ...wanted])
  return [...ours]
    .filter(([name]) => live.indexes.has(name) && !(wanted.has(name) && isUpToDate(name, table, live)))
    .map(([name, index]) => safely({ change: 'drop-index', table: table.name, name, index }))
}

function missingIndexes(tableInput: TableInput): PlannedStep[] {
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

function staleReferences({ table, last, live }: TableInput): PlannedStep[] {
  const wanted = table.references ?? []
  const ours = new Set([...wanted, ...(last?.references ?? [])].map(({ column }) => column))
  return live.references
    .filter(
      (reference) =>
        ours.has(reference.column) && !wanted.some((each) => isSame(each, reference, table.name)),
    )
    .map((reference) => safely({ change: 'drop-reference', table: table.name, reference }))
}

function missingReferences({ table, live, input }: TableInput): PlannedStep[] {
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

/**
 * Tables of ours that are no longer declared. Those of the service itself stay unmentioned: the plugin that they belong
 * to may just be switched off.
 */
function droppedTables({ declared, last, live }: PlanInput): PlannedStep[] {
  const names = new Set(declared.map((table) => table.name))
  return last
    .filter(({ name }) => !names.has(name) && live.has(name) && !name.startsWith('svc_'))
    .map((table) => blocked({ change: 'drop-table', table }, 'its rows would be lost'))
}
