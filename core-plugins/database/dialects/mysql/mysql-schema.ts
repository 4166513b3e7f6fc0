import type { ColumnKind, ColumnSpec, Dialect, IndexSpec, ReferenceSpec, TableSpec } from '../../database.ts'
import { defaultLength } from '../../sync/conversion.ts'
import { temporaryName } from '../../sync/convert-column.ts'
import { defaultLiteral, directionSql, nameList } from '../../sync/ddl.ts'
import { idColumnOf, indexesOf, indexName, primaryKeyOf, referenceName } from '../../sync/names.ts'
import type { LiveSchema, LiveTable, SchemaDialect } from '../../sync/schema-store.ts'
import type { Step, StepOf } from '../../sync/step.ts'
import { convertsByItself, mysqlConversion } from './mysql-conversion.ts'
import { endMirrorStatements, mirrorStatements } from './mysql-mirror.ts'
import type { MysqlServer } from './mysql-server.ts'

// As the server itself spells them, but for display widths.
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

/** Statements cannot be undone together here, so each leaves a schema that the next start goes on from. */
export function createMysqlSchemaDialect(server: MysqlServer, dialect: Dialect): SchemaDialect {
  const tableOptions = `engine = InnoDB row_format = dynamic default charset utf8mb4 collate ${server.binaryCollation}`

  function statementsOf(step: Step, live: LiveSchema): string[] {
    switch (step.change) {
      case 'rename-column':
        if (step.isMirrored) return mirror(step, live)
        return [alter(step.table, `rename column ${quote(step.from)} to ${quote(step.column)}`)]
      case 'add-column':
        return [alter(step.table, `add column ${columnSql(step.column)}`)]
      case 'widen-column':
        return [modify(step.table, step.column, live, { type: columnType(step.column) })]
      case 'make-nullable':
        return [modify(step.table, step.column, live, { nullable: true })]
      case 'make-required':
        return [modify(step.table, step.column, live, { nullable: false })]
      case 'drop-column':
        return [
          ...(step.mirror === undefined ? [] : endMirrorStatements(step.table, step.mirror)),
          alter(step.table, `drop column ${quote(step.column.name)}`),
        ]
      case 'drop-table':
        return [`drop table ${quote(step.table.name)}`]
      case 'create-index':
      case 'create-unique-index':
        return [alter(step.table.name, `add ${indexSql(step.table, step.index)}`)]
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
   * In one statement, since the server waits for the disk with each; with the references to what is there already, since
   * it copies a table to add one.
   */
  function createTable(table: TableSpec, present: ReadonlySet<string>): string {
    const key = primaryKeyOf(table)
    const keySql = key.length === 0 ? [] : [`primary key (${nameList(key, quote)})`]
    const id = idColumnOf(table)
    const columns = table.columns.map((column) =>
      column.name === id ? `${quote(id)} bigint not null auto_increment` : columnSql(column),
    )
    const indexes = indexesOf(table).map((index) => indexSql(table, index))
    const references = (table.references ?? [])
      .filter(({ table: target }) => present.has(target))
      .map((reference) => referenceSql(table.name, reference))
    const parts = [...columns, ...keySql, ...indexes, ...references]
    return `create table ${quote(table.name)} (${parts.join(', ')}) ${tableOptions}`
  }

  function columnSql(column: ColumnSpec): string {
    return definition(column, columnType(column), column.nullable === true)
  }

  function definition(column: ColumnSpec, type: string, nullable: boolean): string {
    const value = defaultLiteral(column, dialect)
    // In brackets, as text has no other default than an expression.
    const defaultSql = value === undefined ? '' : ` default (${value})`
    return `${quote(column.name)} ${type} ${nullable ? 'null' : 'not null'}${defaultSql}`
  }

  /** Changes one thing of a column; the rest stays as it is, also where it is not as declared. */
  function modify(
    table: string,
    column: ColumnSpec,
    live: LiveSchema,
    change: { type?: string; nullable?: boolean },
  ): string {
    const present = live.get(table)?.columns.get(column.name)
    const type = change.type ?? present?.type ?? columnType(column)
    const nullable = change.nullable ?? present?.nullable ?? column.nullable === true
    return alter(table, `modify column ${definition(column, type, nullable)}`)
  }

  /** The one statement reads on while it works; a column of new values is filled while nobody else may write. */
  function conversion(
    { table, from, column }: StepOf<'convert-column'>,
    live: LiveTable,
  ): string[] | undefined {
    if (convertsByItself(from, column)) {
      const modified = `modify column ${definition(column, columnType(column), true)}`
      return [...untie(live, column.name), alter(table, ...dropIndexesOf(live, column.name), modified)]
    }
    const converted = mysqlConversion(quote(column.name), from, column)
    if (converted === undefined) return undefined
    const temporary = { ...column, name: temporaryName(column.name), nullable: true }
    return [
      ...lock(table),
      alter(table, `add column ${columnSql(temporary)}`),
      `update ${quote(table)} set ${quote(temporary.name)} = ${converted}`,
      ...replaceColumn(live, column.name, temporary.name),
      ...unlock,
    ]
  }

  function indexSql(table: TableSpec, index: IndexSpec): string {
    const words = { index: 'index', unique: 'unique index', fulltext: 'fulltext index' } as const
    const name = quote(indexName(table.name, index))
    return `${words[index.type]} ${name} (${indexParts(table, index, server)})`
  }

  return {
    columnType,
    kindOf(type) {
      const length = /^varchar\((\d+)\)$/.exec(type)?.[1]
      if (length !== undefined) return { kind: 'string', length: Number(length) }
      const kind = kinds[type]
      return kind === undefined ? undefined : { kind }
    },
    hasIndex: (index, table) => !isInKeyOrder(index, table),
    statements(steps, live) {
      const present = new Set(live.keys())
      return targetsFirst(untied(steps, live)).flatMap((step) => {
        if (step.change !== 'create-table') return statementsOf(step, live)
        present.add(step.table.name)
        return [createTable(step.table, present)]
      })
    },
    replaceColumn,
    conversion,
    lock,
    unlock,
  }
}

/** The steps, but that a table is made after those that it refers to, where they do not refer to it, too. */
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

/** The rows stand in this order themselves, and the server prefers to go through them. */
function isInKeyOrder(
  { columns: [first = ''], descending = [], type }: IndexSpec,
  table: TableSpec,
): boolean {
  return type === 'index' && first === idColumnOf(table) && !descending.includes(first)
}

const lock = (table: string) => [`lock tables ${quote(table)} write`]

const unlock = ['unlock tables']

/** The new column is what the earlier one is by now, whatever it is to become. */
function mirror({ table, from, column }: StepOf<'rename-column'>, live: LiveSchema): string[] {
  const columns = live.get(table)?.columns
  const { type = 'longtext' } = columns?.get(from) ?? {}
  return [
    ...(columns?.has(column) ? [] : [alter(table, `add column ${quote(column)} ${type} null`)]),
    ...mirrorStatements(table, { column, earlier: from }),
  ]
}

function columnType({ kind, length = defaultLength }: ColumnSpec): string {
  return kind === 'string' ? `varchar(${length})` : types[kind]
}

/** A reference needs an index on its column, so it goes with the index, to be added again with the next one. */
function dropReferencesOf(step: Extract<Step, { change: 'drop-index' }>, live: LiveSchema): string[] {
  const table = live.get(step.table)
  const leading = table?.indexes.get(step.name)?.columns[0]
  return (table?.references ?? [])
    .filter((reference) => reference.column === leading && reference.constraint !== undefined)
    .map((reference) => `drop foreign key ${quote(reference.constraint ?? '')}`)
}

/** Without the references that an index takes with it. */
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

/** In one statement, so that the column is never missing; its indexes and references come back afterwards. */
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

/** By themselves, as MySQL does not change a column in the statement that unties it. */
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

// An index takes 3,072 bytes an entry, and a character up to 4 of them.
const maxIndexedCharacters = 740

function indexParts(table: TableSpec, index: IndexSpec, server: MysqlServer): string {
  const { type, columns } = index
  const lengths = columns.map((name) => charactersOf(table.columns.find((column) => column.name === name)))
  const isLong = lengths.reduce((sum, length) => sum + length, 0) > maxIndexedCharacters
  if (type === 'fulltext') return nameList(columns, quote)
  if (!isLong) return columns.map((name) => `${quote(name)}${directionSql(index, name)}`).join(', ')
  // MariaDB makes a hash of what is too long to be unique by itself.
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
