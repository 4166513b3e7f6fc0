import { defaultLiteral, directionSql, literal, nameList } from '../../sync/ddl.ts'
import type { LiveColumn, LiveIndex, LiveSchema, LiveTable } from '../../sync/live-schema.ts'
import { indexesOf, indexName, primaryKeyOf } from '../../sync/names.ts'
import type { SchemaDialect } from '../../sync/schema-store.ts'
import { type Step, tableOf } from '../../sync/step.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSpec } from '../../tables/table-spec.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

// Only the last word matters to SQLite: TEXT keeps text that looks like a number unchanged. The words before it
// distinguish the kinds.
const types: Readonly<Record<ColumnKind, string>> = {
  id: 'INTEGER',
  reference: 'INTEGER',
  integer: 'INTEGER',
  bigint: 'INTEGER',
  boolean: 'BOOLEAN',
  string: 'TEXT',
  text: 'TEXT',
  date: 'DATE_TEXT',
  datetime: 'DATETIME_TEXT',
  decimal: 'DECIMAL_TEXT',
  json: 'JSON_TEXT',
  point: 'POINT_INTEGER',
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  TEXT: 'text',
  DATE_TEXT: 'date',
  DATETIME_TEXT: 'datetime',
  DECIMAL_TEXT: 'decimal',
  JSON_TEXT: 'json',
  POINT_INTEGER: 'point',
}

export const sqliteSchemaDialect: SchemaDialect = {
  columnType: ({ kind }) => types[kind],
  kindOf(type) {
    const kind = kinds[type]
    return kind === undefined ? undefined : { kind }
  },
  hasIndex: ({ type }) => type !== 'fulltext',
  statements(steps, live) {
    const model = new Map(live)
    return runsOfRebuilds(steps, model).flatMap((run) => {
      const [step] = run
      const before = step && model.get(tableOf(step))
      if (before === undefined) return run.flatMap(simpleStatements)
      const after = run.reduce(changedTable, before)
      model.set(after.name, after)
      return step !== undefined && needsRebuild(step, before)
        ? rebuild(after, before)
        : run.flatMap(simpleStatements)
    })
  },
  replaceColumn(table, name, temporary) {
    const columns = [...table.columns.values()]
      .filter((column) => column.name !== name)
      .map((column) => (column.name === temporary ? { ...column, name } : column))
    const after = { ...table, columns: new Map(columns.map((column) => [column.name, column])) }
    return rebuild(after, table, new Map([[name, quote(temporary)]]))
  },
  conversion({ from, column }, table) {
    const { name } = column
    const converted = { ...liveColumn(column), nullable: true }
    const values = [quote(name), literal(from.kind), literal(column.kind), literal(column.length)]
    const source = `convert_value(${values.join(', ')})`
    return rebuild(withColumn(table, converted), table, new Map([[name, source]]))
  },
  // A sync already holds SQLite's only lock.
  lock: () => [],
  unlock: [],
}

/** Consecutive steps that rebuild the same table are carried out together. */
function runsOfRebuilds(steps: readonly Step[], live: LiveSchema): Step[][] {
  const runs: Step[][] = []
  for (const step of steps) {
    const previous = runs.at(-1)?.[0]
    const table = live.get(tableOf(step))
    const isTogether =
      table !== undefined &&
      previous !== undefined &&
      tableOf(previous) === table.name &&
      needsRebuild(previous, table) &&
      needsRebuild(step, table)
    if (isTogether) runs.at(-1)?.push(step)
    else runs.push([step])
  }
  return runs
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function simpleStatements(step: Step): string[] {
  switch (step.change) {
    case 'create-table':
      return createTable(step.table)
    case 'rename-column':
      return [`alter table ${quote(step.table)} rename column ${quote(step.from)} to ${quote(step.column)}`]
    case 'add-column':
      return [`alter table ${quote(step.table)} add column ${columnSql(liveColumn(step.column))}`]
    case 'drop-table':
      return [`drop table ${quote(step.table.name)}`]
    case 'create-index':
    case 'create-unique-index':
      return [createIndex(step.table, step.index)]
    case 'drop-index':
      return [`drop index if exists ${quote(step.name)}`]
    default:
      return []
  }
}

/** Whether SQLite can only carry out a step by rebuilding the table. */
function needsRebuild(step: Step, table: LiveTable): boolean {
  switch (step.change) {
    case 'add-column':
      return step.column.nullable !== true && (step.column.default ?? null) === null
    case 'make-nullable':
    case 'make-required':
    case 'drop-column':
      return table.columns.has(step.column.name)
    case 'add-reference':
    case 'drop-reference':
      return true
    default:
      return false
  }
}

function changedTable(table: LiveTable, step: Step): LiveTable {
  switch (step.change) {
    case 'add-column':
      return withColumn(table, liveColumn(step.column))
    case 'make-nullable':
    case 'make-required':
      return withColumn(table, { ...columnOf(table, step.column), nullable: step.change === 'make-nullable' })
    case 'drop-column':
      return withoutColumn(table, step.column.name)
    case 'add-reference':
      return { ...table, references: [...table.references, step.reference] }
    case 'drop-reference': {
      const kept = table.references.filter(({ column }) => column !== step.reference.column)
      return { ...table, references: kept }
    }
    case 'create-index':
    case 'create-unique-index': {
      const index = liveIndex(step.table, step.index)
      return { ...table, indexes: new Map(table.indexes).set(index.name, index) }
    }
    case 'drop-index': {
      const indexes = new Map(table.indexes)
      indexes.delete(step.name)
      return { ...table, indexes }
    }
    default:
      return table
  }
}

function columnOf(table: LiveTable, column: ColumnSpec): LiveColumn {
  return table.columns.get(column.name) ?? liveColumn(column)
}

function withColumn(table: LiveTable, column: LiveColumn): LiveTable {
  return { ...table, columns: new Map(table.columns).set(column.name, column) }
}

function withoutColumn(table: LiveTable, name: string): LiveTable {
  const columns = new Map(table.columns)
  columns.delete(name)
  return { ...table, columns, references: table.references.filter(({ column }) => column !== name) }
}

function liveColumn(column: ColumnSpec): LiveColumn {
  const { name, nullable = false } = column
  return { name, nullable, type: types[column.kind], default: defaultLiteral(column, sqliteDialect) ?? null }
}

function liveIndex(table: TableSpec, index: IndexSpec): LiveIndex {
  return { name: indexName(table.name, index), columns: index.columns, sql: createIndex(table, index) }
}

function createTable(table: TableSpec): string[] {
  const live: LiveTable = {
    name: table.name,
    columns: new Map(table.columns.map((column) => [column.name, liveColumn(column)])),
    primaryKey: primaryKeyOf(table),
    indexes: new Map(),
    references: table.references ?? [],
  }
  const indexes = indexesOf(table).filter((index) => sqliteSchemaDialect.hasIndex(index, table))
  return [tableSql(table.name, live), ...indexes.map((index) => createIndex(table, index))]
}

/**
 * https://www.sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes". `sources` are the
 * expressions for columns that are not filled with their former values.
 */
function rebuild(
  table: LiveTable,
  before: LiveTable,
  sources: ReadonlyMap<string, string> = new Map(),
): string[] {
  const temporary = `${table.name}__new`
  const kept = [...table.columns.keys()].filter((name) => before.columns.has(name) || sources.has(name))
  const from = kept.map((name) => sources.get(name) ?? quote(name))
  return [
    tableSql(temporary, table),
    `insert into ${quote(temporary)} (${nameList(kept, quote)}) select ${from.join(', ')} from ${quote(table.name)}`,
    ...keepCounter(table, temporary),
    `drop table ${quote(table.name)}`,
    `alter table ${quote(temporary)} rename to ${quote(table.name)}`,
    ...[...table.indexes.values()].flatMap((index) => index.sql ?? []),
  ]
}

/** Ids of deleted rows are never reused, so the new table takes over the counter. */
function keepCounter(table: LiveTable, temporary: string): string[] {
  if (!countsUp(table)) return []
  return [
    `delete from sqlite_sequence where name = ${literal(temporary)}`,
    `insert into sqlite_sequence (name, seq) select ${literal(temporary)}, seq from sqlite_sequence where name = ${literal(table.name)}`,
  ]
}

function countsUp({ primaryKey, columns }: LiveTable): boolean {
  return primaryKey.length === 1 && columns.get(primaryKey[0] ?? '')?.type === 'INTEGER'
}

function tableSql(name: string, table: LiveTable): string {
  const id = countsUp(table) ? table.primaryKey[0] : undefined
  const columns = [...table.columns.values()].map((column) =>
    column.name === id ? `${quote(column.name)} INTEGER primary key autoincrement` : columnSql(column),
  )
  const key =
    id === undefined && table.primaryKey.length > 0
      ? [`primary key (${nameList(table.primaryKey, quote)})`]
      : []
  return `create table ${quote(name)} (${[...columns, ...key, ...table.references.map(referenceSql)].join(', ')})`
}

function columnSql({ name, type, nullable, default: value }: LiveColumn): string {
  return `${quote(name)} ${type}${nullable ? '' : ' not null'}${value === null ? '' : ` default ${value}`}`
}

function referenceSql({ column, table, onDelete }: ReferenceSpec): string {
  return `foreign key (${quote(column)}) references ${quote(table)} (id) on delete ${onDelete}`
}

function createIndex(table: TableSpec, index: IndexSpec): string {
  const name = indexName(table.name, index)
  const kind = index.type === 'unique' ? 'unique index' : 'index'
  const parts = index.columns.map((column) => `${quote(column)}${directionSql(index, column)}`)
  return `create ${kind} if not exists ${quote(name)} on ${quote(table.name)} (${parts.join(', ')})`
}
