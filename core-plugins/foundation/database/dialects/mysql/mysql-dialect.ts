import { type SQL, sql } from 'drizzle-orm'
import { MySqlDialect } from 'drizzle-orm/mysql-core'
import { decimalText } from '../../decimal.ts'
import type { Dialect } from '../../dialect.ts'
import { integerDigits } from '../../integer.ts'
import { encodePoint, pointLayout } from '../../point.ts'
import { shortening } from '../../statements/compiled-statement.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { isoMoment } from '../../tables/value.ts'
import { relatedByExists } from '../related-by-exists.ts'
import { createMysqlJson } from './mysql-json.ts'
import type { MysqlServer } from './mysql-server.ts'

export const mysqlCompiler = shortening(new MySqlDialect())

export function createMysqlDialect({
  binaryCollation,
  foldingCollation,
  misreadCapitals,
}: MysqlServer): Dialect {
  const binary = sql.raw(`collate ${binaryCollation}`)
  const folding = sql.raw(`collate ${foldingCollation}`)
  const listTypes = itemTypes(binaryCollation)
  return {
    name: 'mysql',
    concat: (left, right) => sql`concat(${left}, ${right})`,
    fold: (text) =>
      sql`replace(lower(${withSmallLetters(text, misreadCapitals)} ${folding}) ${binary}, 'ς', 'σ')`,
    contains: (text, part) => sql`locate(${part}, ${text}) > 0`,
    startsWith: (text, part) => sql`left(${text}, char_length(${part})) = ${part}`,
    endsWith: (text, part) => sql`right(${text}, char_length(${part})) = ${part}`,
    isListFastInWrites: false,
    inList: (value, name, kind) =>
      sql`${value} in (select items.item from json_table(${sql.placeholder(name)}, '$[*]'
        columns (item ${listTypes[kind]} path '$')) items)`,
    list: (items, kind) => `[${items.map((item) => listItem(item, kind)).join(',')}]`,
    // Without bit operators, whose results are unsigned.
    latitude: (column) => sql`cast(${column} div ${latitudeUnit} - ${latitudeOffset} as double)`,
    longitude: (column) => sql`cast(${column} mod ${latitudeUnit} - ${longitudeOffset} as double)`,
    json: createMysqlJson(binaryCollation),
    placeholder,
    rowCount: (name) => sql`${sql.placeholder(name)}`,
    bind,
    // The server already treats null as the smallest value.
    orderBy: (expression, direction) => sql`${expression} ${sql.raw(direction)}`,
    ...relatedByExists,
    fromPage: (page, { table, id, joins }) =>
      sql`from (${page}) page straight_join ${table} on ${id} = page.id${joins}`,
    joinIds: (column, orderBy) => sql`group_concat(${column} order by ${orderBy} separator ',')`,
    select: (column) => column,
    asDeclared: (column) => column,
    sum,
    quotient,
    extreme: (which, column) => sql`${sql.raw(which)}(${column})`,
    isInProcess: false,
    hasRowLocks: true,
    forUpdate: lock,
    forChange: lock,
    byPrimaryKey: sql`force index (primary)`,
    readsAfterLocks: true,
    answersInsertedIds: false,
    newUuid: sql`uuid()`,
    // In a cluster with several writers, each skips the ids of the others.
    idStep: sql`select @@auto_increment_increment as step`,
    forUpdateSkipLocked: sql`for update skip locked`,
    // `insert ignore` would also accept values that do not fit.
    ignoreDuplicates: (column) =>
      sql`on duplicate key update ${sql.identifier(column)} = ${sql.identifier(column)}`,
    advanceIds: () => undefined,
  }
}

const lock = sql`for update`

const withSmallLetters = (text: SQL, capitals: MysqlServer['misreadCapitals']) =>
  Object.entries(capitals).reduce(
    (replaced, [capital, small]) => sql`replace(${replaced}, ${sql.raw(`'${capital}', '${small}'`)})`,
    text,
  )

const latitudeUnit = sql.raw(String(pointLayout.latitudeUnit))
const latitudeOffset = sql.raw(String(pointLayout.latitudeOffset))
const longitudeOffset = sql.raw(String(pointLayout.longitudeOffset))

// Numbers arrive as text or doubles, and the server compares a number with text by converting both to doubles.
function placeholder(name: string, kind: ColumnKind): SQL {
  if (kind === 'decimal') return sql`cast(${sql.placeholder(name)} as decimal(65,30))`
  if (kind === 'bigint' || kind === 'point') return sql`cast(${sql.placeholder(name)} as signed)`
  return sql`${sql.placeholder(name)}`
}

// An exact sum of decimals may need more than the 65 digits of the server, which returns the largest possible
// number beyond them. So integer and fractional parts are summed separately.
function sum(column: SQL, kind: ColumnKind): SQL[] {
  if (kind !== 'decimal') return [sql`sum(${column})`]
  const wholes = sql`sum(floor(${column}))`
  const rests = sql`sum(${column} - floor(${column}))`
  return [sql`${wholes} + floor(${rests})`, sql`${rests} - floor(${rests})`]
}

function quotient([whole = sql`null`, rest]: readonly SQL[], count: SQL): SQL[] {
  const divisor = sql`nullif(${count}, 0)`
  if (rest === undefined) return [sql`cast(${whole} as decimal(65,30)) / ${divisor}`]
  const remainder = sql`mod(mod(${whole}, ${divisor}) + ${divisor}, ${divisor})`
  return [sql`(${whole} - ${remainder}) / ${divisor}`, sql`(${remainder} + ${rest}) / ${divisor}`]
}

function itemTypes(collation: string): Readonly<Record<ColumnKind, SQL>> {
  const text = `longtext character set utf8mb4 collate ${collation}`
  const names: Readonly<Record<ColumnKind, string>> = {
    id: 'bigint',
    reference: 'bigint',
    integer: 'bigint',
    bigint: 'bigint',
    decimal: 'decimal(65,30)',
    boolean: 'tinyint',
    string: text,
    text,
    date: 'date',
    datetime: 'datetime(3)',
    json: text,
    point: 'bigint',
  }
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, sql.raw(name)])) as Record<
    ColumnKind,
    SQL
  >
}

function bind(value: unknown, kind: ColumnKind): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'boolean':
      return value ? 1 : 0
    case 'json':
      return JSON.stringify(value)
    case 'decimal':
      return decimalText(value)
    case 'bigint':
      return integerDigits(value)
    case 'point':
      return encodePoint(value)
    case 'datetime':
      return isoMoment(value).replace('T', ' ').slice(0, -1)
    default:
      return value
  }
}

function listItem(item: unknown, kind: ColumnKind): string {
  const bound = bind(item, kind)
  return (kind === 'bigint' || kind === 'point') && bound !== null ? String(bound) : JSON.stringify(bound)
}
