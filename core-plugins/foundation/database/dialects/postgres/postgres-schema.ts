import { defaultLength } from '../../sync/conversion.ts'
import { defaultLiteral, directionSql, nameList } from '../../sync/ddl.ts'
import type { LiveSchema, LiveTable } from '../../sync/live-schema.ts'
import { indexesOf, indexName, primaryKeyName, primaryKeyOf, referenceName } from '../../sync/names.ts'
import type { SchemaDialect } from '../../sync/schema-store.ts'
import type { Step, StepOf } from '../../sync/step.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSpec } from '../../tables/table-spec.ts'
import { postgresConversion } from './postgres-conversion.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { endMirrorStatements, mirrorStatements } from './postgres-mirror.ts'

// In the spelling that the server reports.
const types: Readonly<Record<Exclude<ColumnKind, 'string'>, string>> = {
  id: 'bigint',
  reference: 'bigint',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  text: 'text',
  date: 'date',
  datetime: 'timestamp(3) with time zone',
  json: 'text',
  point: 'bigint',
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  bigint: 'integer',
  numeric: 'decimal',
  boolean: 'boolean',
  text: 'text',
  date: 'date',
  'timestamp(3) with time zone': 'datetime',
}

export const postgresSchemaDialect: SchemaDialect = {
  columnType,
  kindOf(type) {
    const length = /^character varying\((\d+)\)$/.exec(type)?.[1]
    if (length !== undefined) return { kind: 'string', length: Number(length) }
    const kind = kinds[type]
    return kind === undefined ? undefined : { kind }
  },
  // Rows are stored separately from the primary key, so its index is as good as any other.
  hasIndex: ({ columns }, table) => columns.join() !== primaryKeyOf(table).join(),
  statements: (steps, live) => steps.flatMap((step) => statementsOf(step, live)),
  replaceColumn: ({ name: table }, name, temporary) => [
    `alter table ${quote(table)} drop column ${quote(name)}`,
    `alter table ${quote(table)} rename column ${quote(temporary)} to ${quote(name)}`,
  ],
  conversion,
  lock: (table) => [`lock table ${quote(table)} in access exclusive mode`],
  unlock: [],
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The new column starts as a copy of the earlier one, with the same type, even if a later step changes that. */
function mirror({ table, from, column, mirrored }: StepOf<'rename-column'>, live: LiveSchema): string[] {
  const { type = 'text' } = live.get(table)?.columns.get(from) ?? {}
  const collation = /^(text|character)/.test(type) ? ' collate "C"' : ''
  return [
    alter(table, `add column if not exists ${quote(column)} ${type}${collation}`),
    ...mirrorStatements(table, { column, earlier: mirrored }),
    `update ${quote(table)} set ${quote(column)} = ${quote(from)} where ${quote(column)} is null and ${quote(from)} is not null`,
    ...endMirrorStatements(table, { column: from, earlier: [column, ...mirrored] }),
  ]
}

/** The remaining columns of the group are kept in sync with each other. */
function endedMirror({ table, mirror }: StepOf<'drop-column'>): string[] {
  if (mirror === undefined) return []
  const { ended, rest } = mirror
  return [
    ...endMirrorStatements(table, ended),
    ...(rest.length === 0 ? [] : mirrorStatements(table, { column: ended.column, earlier: rest })),
  ]
}

function columnType({ kind, length = defaultLength }: ColumnSpec): string {
  return kind === 'string' ? `character varying(${length})` : types[kind]
}

/** With the collation that compares by code point, like the other databases. */
function fullType(column: ColumnSpec): string {
  const isText = column.kind === 'string' || types[column.kind] === 'text'
  return `${columnType(column)}${isText ? ' collate "C"' : ''}`
}

/** In one pass over the table; indexes and references of the column are created again for its new type afterwards. */
function conversion(
  { table, from, column }: StepOf<'convert-column'>,
  live: LiveTable,
): string[] | undefined {
  const name = quote(column.name)
  const converted = postgresConversion(name, from, column)
  if (converted === undefined) return undefined
  const indexes = [...live.indexes.values()].filter((index) => index.columns.includes(column.name))
  const tied = live.references.filter((reference) => reference.column === column.name)
  const value = defaultLiteral(column, postgresDialect)
  const isKey = live.primaryKey.includes(column.name)
  return [
    ...indexes.map((index) => `drop index ${quote(index.name)}`),
    ...tied.map(({ constraint = '' }) => alter(table, `drop constraint ${quote(constraint)}`)),
    alter(
      table,
      `alter column ${name} drop default`,
      ...(isKey ? [] : [`alter column ${name} drop not null`]),
      `alter column ${name} type ${fullType(column)} using ${converted}`,
      ...(value === undefined ? [] : [`alter column ${name} set default ${value}`]),
    ),
  ]
}

function statementsOf(step: Step, live: LiveSchema): string[] {
  switch (step.change) {
    case 'create-table':
      return createTable(step.table)
    case 'rename-column':
      if (step.mirrored.length > 0) return mirror(step, live)
      return [alter(step.table, `rename column ${quote(step.from)} to ${quote(step.column)}`)]
    case 'add-column':
      return [alter(step.table, `add column ${columnSql(step.column)}`)]
    case 'widen-column':
      return [alter(step.table, `alter column ${quote(step.column.name)} type ${fullType(step.column)}`)]
    case 'make-nullable':
      return [alter(step.table, `alter column ${quote(step.column.name)} drop not null`)]
    case 'make-required':
      return [alter(step.table, `alter column ${quote(step.column.name)} set not null`)]
    case 'drop-column':
      return [...endedMirror(step), alter(step.table, `drop column ${quote(step.column.name)}`)]
    case 'drop-table':
      return [`drop table ${quote(step.table.name)}`]
    case 'create-index':
    case 'create-unique-index':
      return [createIndex(step.table, step.index)]
    case 'drop-index':
      return [`drop index if exists ${quote(step.name)}`]
    case 'add-reference':
      return [alter(step.table, `add ${referenceSql(step.table, step.reference)}`)]
    case 'drop-reference': {
      const name = step.reference.constraint ?? referenceName(step.table, step.reference.column)
      return [alter(step.table, `drop constraint if exists ${quote(name)}`)]
    }
    default:
      return []
  }
}

const alter = (table: string, ...actions: string[]) => `alter table ${quote(table)} ${actions.join(', ')}`

function createTable(table: TableSpec): string[] {
  const key = primaryKeyOf(table)
  const keySql =
    key.length === 0
      ? []
      : [`constraint ${quote(primaryKeyName(table.name))} primary key (${nameList(key, quote)})`]
  const parts = [...table.columns.map(columnSql), ...keySql]
  return [
    `create table ${quote(table.name)} (${parts.join(', ')})`,
    ...indexesOf(table).map((index) => createIndex(table, index)),
  ]
}

function columnSql(column: ColumnSpec): string {
  const identity = column.kind === 'id' ? ' generated by default as identity' : ''
  const value = defaultLiteral(column, postgresDialect)
  const isRequired = column.nullable !== true
  return [
    `${quote(column.name)} ${fullType(column)}${identity}`,
    ...(isRequired ? ['not null'] : []),
    ...(value === undefined ? [] : [`default ${value}`]),
  ].join(' ')
}

function referenceSql(table: string, { column, table: target, onDelete }: ReferenceSpec): string {
  const name = quote(referenceName(table, column))
  return `constraint ${name} foreign key (${quote(column)}) references ${quote(target)} (id) on delete ${onDelete}`
}

// A b-tree entry holds about 2,700 bytes, and a character takes up to 4 of them.
const maxIndexedCharacters = 640

// The server rejects vectors of more than 1 MiB, and with them the row.
const maxSearchedCharacters = 200_000

function createIndex(table: TableSpec, index: IndexSpec): string {
  const kind = index.type === 'unique' ? 'unique index' : 'index'
  return `create ${kind} ${quote(indexName(table.name, index))} on ${quote(table.name)} ${indexTarget(table, index)}`
}

function indexTarget(table: TableSpec, index: IndexSpec): string {
  const { type, columns } = index
  if (type === 'fulltext') return fulltextTarget(columns)
  const specs = columns.map((name) => table.columns.find((column) => column.name === name))
  const characters = specs.map((spec) => charactersOf(spec))
  const isLong = characters.reduce((sum, count) => sum + count, 0) > maxIndexedCharacters
  const parts = columns.map((name, position) => {
    if (isLong && (characters[position] ?? 0) > 0) return `md5(${quote(name)})`
    return `${quote(name)}${orderSql(index, name, specs[position])}`
  })
  return `(${parts.join(', ')})`
}

/** As in the order of lists, null is the smallest value. */
function orderSql(index: IndexSpec, name: string, spec: ColumnSpec | undefined): string {
  const direction = directionSql(index, name)
  if (spec?.nullable !== true) return direction
  return `${direction} nulls ${direction === '' ? 'first' : 'last'}`
}

function charactersOf(column: ColumnSpec | undefined): number {
  if (column?.kind === 'string') return column.length ?? defaultLength
  return column?.kind === 'text' ? Infinity : 0
}

function fulltextTarget(columns: readonly string[]): string {
  const text = columns.map((name) => `coalesce(${quote(name)}, '')`).join(` || ' ' || `)
  return `using gin (to_tsvector('simple', left(${text}, ${maxSearchedCharacters})))`
}
