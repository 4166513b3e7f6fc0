import type { Dialect } from '../../dialect.ts'
import { defaultLength } from '../../sync/conversion.ts'
import { temporaryName } from '../../sync/convert-column.ts'
import { defaultLiteral, directionSql, nameList } from '../../sync/ddl.ts'
import type { LiveSchema, LiveTable } from '../../sync/live-schema.ts'
import { idColumnOf, indexesOf, indexName, primaryKeyOf, referenceName } from '../../sync/names.ts'
import type { SchemaDialect } from '../../sync/schema-store.ts'
import type { Step, StepOf } from '../../sync/step.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSpec } from '../../tables/table-spec.ts'
import { convertsByItself, mysqlConversion } from './mysql-conversion.ts'
import { endMirrorStatements, mirrorStatements } from './mysql-mirror.ts'
import type { MysqlServer } from './mysql-server.ts'

// In the spelling that the server reports, except for display widths.
const types: Readonly<Record<Exclude<ColumnKind, 'string'>, string>> = {
  id: 'bigint',
  reference: 'bigint',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'decimal(65,30)',
  boolean: 'tinyint(1)',
  text: 'longtext',
  date: 'date',
  datetime: 'datetime(3)',
  json: 'longtext',
  point: 'bigint',
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  bigint: 'integer',
  'decimal(65,30)': 'decimal',
  'tinyint(1)': 'boolean',
  longtext: 'text',
  date: 'date',
  'datetime(3)': 'datetime',
}

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``

const alter = (table: string, ...actions: string[]) => `alter table ${quote(table)} ${actions.join(', ')}`

/** The server, and the dialect that binds values for it. */
interface Deps {
  readonly server: MysqlServer
  readonly dialect: Dialect
}

/**
 * Schema changes cannot be rolled back together here, so each leaves a schema from which the next start can continue.
 */
export function createMysqlSchemaDialect(server: MysqlServer, dialect: Dialect): SchemaDialect {
  const deps = { server, dialect }
  return {
    columnType,
    kindOf,
    hasIndex: (index, table) => !isInKeyOrder(index, table),
    statements(steps, live) {
      const present = new Set(live.keys())
      return targetsFirst(untied(steps, live)).flatMap((step) => {
        if (step.change !== 'create-table') return statementsOf(deps, step, live)
        present.add(step.table.name)
        return [createTable(deps, step.table, present)]
      })
    },
    replaceColumn,
    conversion: (step, live) => conversion(deps, step, live),
    lock,
    unlock,
  }
}

function kindOf(type: string): Pick<ColumnSpec, 'kind' | 'length'> | undefined {
  const length = /^varchar\((\d+)\)$/.exec(type)?.[1]
  if (length !== undefined) return { kind: 'string', length: Number(length) }
  const kind = kinds[type]
  return kind === undefined ? undefined : { kind }
}

function statementsOf(deps: Deps, step: Step, live: LiveSchema): string[] {
  switch (step.change) {
    case 'rename-column':
      if (step.mirrored.length > 0) return mirror(step, live)
      return [alter(step.table, `rename column ${quote(step.from)} to ${quote(step.column)}`)]
    case 'add-column':
      return [alter(step.table, `add column ${columnSql(deps, step.column)}`)]
    case 'widen-column':
      return [modify(deps, { ...step, live }, { type: columnType(step.column) })]
    case 'make-nullable':
      return [modify(deps, { ...step, live }, { nullable: true })]
    case 'make-required':
      return [modify(deps, { ...step, live }, { nullable: false })]
    case 'drop-column':
      return [...endedMirror(step), alter(step.table, `drop column ${quote(step.column.name)}`)]
    case 'drop-table':
      return [`drop table ${quote(step.table.name)}`]
    case 'create-index':
    case 'create-unique-index':
      return [alter(step.table.name, `add ${indexSql(deps, step.table, step.index)}`)]
    case 'drop-index':
      return [alter(step.table, ...dropReferencesOf(step, live), `drop index ${quote(step.name)}`)]
    case 'add-reference':
      return [alter(step.table, `add ${referenceSql(step.table, step.reference)}`)]
    case 'drop-reference': {
      const name = step.reference.constraint ?? referenceName(step.table, step.reference.column)
      return [alter(step.table, `drop foreign key ${quote(name)}`)]
    }
    default:
      return []
  }
}

/**
 * A single statement, since the server flushes to disk for each; including references to existing tables, since
 * adding one later copies the table.
 */
function createTable(deps: Deps, table: TableSpec, present: ReadonlySet<string>): string {
  const key = primaryKeyOf(table)
  const keySql = key.length === 0 ? [] : [`primary key (${nameList(key, quote)})`]
  const id = idColumnOf(table)
  const columns = table.columns.map((column) =>
    column.name === id ? `${quote(id)} bigint not null auto_increment` : columnSql(deps, column),
  )
  const indexes = indexesOf(table).map((index) => indexSql(deps, table, index))
  const references = (table.references ?? [])
    .filter(({ table: target }) => present.has(target))
    .map((reference) => referenceSql(table.name, reference))
  const parts = [...columns, ...keySql, ...indexes, ...references]
  const options = `engine = InnoDB row_format = dynamic default charset utf8mb4 collate ${deps.server.binaryCollation}`
  return `create table ${quote(table.name)} (${parts.join(', ')}) ${options}`
}

function columnSql(deps: Deps, column: ColumnSpec): string {
  return definition(deps, column, { type: columnType(column), nullable: column.nullable === true })
}

function definition(
  { dialect }: Deps,
  column: ColumnSpec,
  { type, nullable }: { type: string; nullable: boolean },
): string {
  const value = defaultLiteral(column, dialect)
  // In parentheses, as text only accepts an expression as its default.
  const defaultSql = value === undefined ? '' : ` default (${withoutEscapes(value)})`
  return `${quote(column.name)} ${type} ${nullable ? 'null' : 'not null'}${defaultSql}`
}

/**
 * A literal in an expression that MySQL stores. It writes apostrophes and backslashes into its dictionary with
 * escapes, but reads them back without (`NO_BACKSLASH_ESCAPES`): an apostrophe becomes a syntax error, and a
 * backslash doubles with each change.
 */
function withoutEscapes(text: string): string {
  if (!/^'.*['\\].*'$/s.test(text)) return text
  const bytes = Buffer.from(text.slice(1, -1).replaceAll("''", "'"))
  return `convert(unhex('${bytes.toString('hex')}') using utf8mb4)`
}

/**
 * Changes one property of a column; the others keep their actual values, even if these differ from the declaration.
 */
function modify(
  deps: Deps,
  { table, column, live }: { table: string; column: ColumnSpec; live: LiveSchema },
  change: { type?: string; nullable?: boolean },
): string {
  const present = live.get(table)?.columns.get(column.name)
  const type = change.type ?? present?.type ?? columnType(column)
  const nullable = change.nullable ?? present?.nullable ?? column.nullable === true
  return alter(table, `modify column ${definition(deps, column, { type, nullable })}`)
}

/**
 * A single statement allows reads while it works; a column of new values must be filled while other writes are
 * blocked.
 */
function conversion(
  deps: Deps,
  { table, from, column }: StepOf<'convert-column'>,
  live: LiveTable,
): string[] | undefined {
  if (convertsByItself(from, column)) {
    const modified = `modify column ${definition(deps, column, { type: columnType(column), nullable: true })}`
    return [...untie(live, column.name), alter(table, ...dropIndexesOf(live, column.name), modified)]
  }
  const converted = mysqlConversion(quote(column.name), from, column)
  if (converted === undefined) return undefined
  const temporary = { ...column, name: temporaryName(column.name), nullable: true }
  return [
    ...lock(table),
    alter(table, `add column ${columnSql(deps, temporary)}`),
    `update ${quote(table)} set ${quote(temporary.name)} = ${converted}`,
    ...replaceColumn(live, column.name, temporary.name),
    ...unlock,
  ]
}

function indexSql({ server }: Deps, table: TableSpec, index: IndexSpec): string {
  const words = { index: 'index', unique: 'unique index', fulltext: 'fulltext index' } as const
  const name = quote(indexName(table.name, index))
  return `${words[index.type]} ${name} (${indexParts(table, index, server)})`
}

/**
 * Sorts the steps so that a table is created after the tables that it references, unless they reference each other.
 */
function targetsFirst(steps: readonly Step[]): Step[] {
  const created = new Map(
    steps.flatMap((step) => (step.change === 'create-table' ? [[step.table.name, step] as const] : [])),
  )
  const ordered = new Set<Step>()
  function add(step: StepOf<'create-table'>) {
    if (!created.delete(step.table.name)) return
    for (const { table } of step.table.references ?? []) {
      const target = created.get(table)
      if (target !== undefined) add(target)
    }
    ordered.add(step)
  }
  for (const step of steps) {
    if (step.change === 'create-table') add(step)
    else ordered.add(step)
  }
  return [...ordered]
}

/**
 * Whether the index equals the order of the primary key: rows are stored in it, so the server prefers to scan them.
 */
function isInKeyOrder(
  { columns: [first = ''], descending = [], type }: IndexSpec,
  table: TableSpec,
): boolean {
  return type === 'index' && first === idColumnOf(table) && !descending.includes(first)
}

const lock = (table: string) => [`lock tables ${quote(table)} write`]

const unlock = ['unlock tables']

/** The new column starts as a copy of the earlier one, with the same type, even if a later step changes that. */
function mirror({ table, from, column, mirrored }: StepOf<'rename-column'>, live: LiveSchema): string[] {
  const columns = live.get(table)?.columns
  const { type = 'longtext' } = columns?.get(from) ?? {}
  return [
    ...(columns?.has(column) ? [] : [alter(table, `add column ${quote(column)} ${type} null`)]),
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
  return kind === 'string' ? `varchar(${length})` : types[kind]
}

/**
 * A reference needs an index on its column, so it is dropped with the index and added again together with the next
 * one.
 */
function dropReferencesOf(step: Extract<Step, { change: 'drop-index' }>, live: LiveSchema): string[] {
  const table = live.get(step.table)
  const leading = table?.indexes.get(step.name)?.columns[0]
  return (table?.references ?? [])
    .filter((reference) => reference.column === leading && reference.constraint !== undefined)
    .map((reference) => `drop foreign key ${quote(reference.constraint ?? '')}`)
}

/** Leaves out references that are dropped together with an index. */
function untied(steps: readonly Step[], live: LiveSchema): Step[] {
  const gone = new Set(
    steps.flatMap((step) =>
      step.change === 'drop-index' ? dropReferencesOf(step, live).map((sql) => `${step.table} ${sql}`) : [],
    ),
  )
  return steps.filter(
    (step) =>
      step.change !== 'drop-reference' ||
      !gone.has(`${step.table} drop foreign key ${quote(step.reference.constraint ?? '')}`),
  )
}

/**
 * In one statement, so that the column is never missing; its indexes and references are added back
 * afterwards.
 */
function replaceColumn(live: LiveTable, name: string, temporary: string): string[] {
  return [
    ...untie(live, name),
    alter(
      live.name,
      ...dropIndexesOf(live, name),
      `drop column ${quote(name)}`,
      `rename column ${quote(temporary)} to ${quote(name)}`,
    ),
  ]
}

/** Separately, as MySQL cannot change a column in the statement that drops its reference. */
function untie({ name: table, references }: LiveTable, column: string): string[] {
  const tied = references.filter((reference) => reference.column === column)
  return tied.map(({ constraint = '' }) => alter(table, `drop foreign key ${quote(constraint)}`))
}

function dropIndexesOf({ indexes }: LiveTable, column: string): string[] {
  return [...indexes.values()]
    .filter((index) => index.columns.includes(column))
    .map((index) => `drop index ${quote(index.name)}`)
}

function referenceSql(table: string, { column, table: target, onDelete }: ReferenceSpec): string {
  const name = quote(referenceName(table, column))
  return `constraint ${name} foreign key (${quote(column)}) references ${quote(target)} (id) on delete ${onDelete}`
}

// An index entry holds 3,072 bytes, and a character takes up to 4 of them.
const maxIndexedCharacters = 740

function indexParts(table: TableSpec, index: IndexSpec, server: MysqlServer): string {
  const { type, columns } = index
  const lengths = columns.map((name) => charactersOf(table.columns.find((column) => column.name === name)))
  const isLong = lengths.reduce((sum, length) => sum + length, 0) > maxIndexedCharacters
  if (type === 'fulltext') return nameList(columns, quote)
  if (!isLong) return columns.map((name) => `${quote(name)}${directionSql(index, name)}`).join(', ')
  // MariaDB hashes values that are too long for a unique index.
  if (type === 'unique' && server.isMariaDb) return nameList(columns, quote)
  const prefix = Math.floor(maxIndexedCharacters / columns.length)
  return columns
    .map((name, position) => {
      if ((lengths[position] ?? 0) === 0) return quote(name)
      if (type === 'unique') return `(sha2(${quote(name)}, 256))`
      return (lengths[position] ?? 0) > prefix ? `${quote(name)}(${prefix})` : quote(name)
    })
    .join(', ')
}

function charactersOf(column: ColumnSpec | undefined): number {
  if (column?.kind === 'string') return column.length ?? defaultLength
  return column?.kind === 'text' ? Infinity : 0
}
