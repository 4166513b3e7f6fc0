import { type SQL, sql } from 'drizzle-orm'
import { type ColumnKind, type QueryTarget, query, type Row } from '../../../foundation/database/database.ts'
import type { TableToDump } from './table-to-dump.ts'

/** A row in the form in which archives hold it: a JSON array with the values in the order of the columns. */
export interface RowLine {
  readonly text: string
  /** In the order of the key's columns. */
  readonly key: readonly unknown[]
  readonly row: Row
}

/** Roughly how many characters are read at a time, whatever the size of a row. */
const pageCharacters = 512 * 1024
const firstPageRows = 100
const maxPageRows = 2_000

/** All rows of a table in the order of its key, page by page. */
export async function* rowLines(target: QueryTarget, table: TableToDump): AsyncGenerator<RowLine[]> {
  const { first, next } = pageQueries(target, table)
  const keyIndexes = table.key.map((name) => table.columns.findIndex((column) => column.name === name))
  const toLine = (row: Row): RowLine => ({
    text: `[${table.columns.map(({ kind }, index) => valueText(row[alias(index)], kind)).join(',')}]`,
    key: keyIndexes.map((index) => row[alias(index)]),
    row,
  })
  let limit = firstPageRows
  let last: RowLine | undefined
  for (;;) {
    const rows: Row[] = await (last === undefined
      ? first.all({ limit }, target)
      : next.all({ limit, ...keyValues(last.key) }, target))
    const lines = rows.map(toLine)
    if (lines.length > 0) yield lines
    if (lines.length < limit) return
    last = lines.at(-1)
    limit = nextLimit(lines)
  }
}

/** The alias under which a column is selected. */
export const alias = (index: number) => `c${index}`

function nextLimit(lines: readonly RowLine[]): number {
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0)
  const fitting = Math.floor((pageCharacters * lines.length) / characters)
  return Math.max(1, Math.min(maxPageRows, fitting))
}

/** JSON is kept as its text, which was written without line breaks. */
function valueText(value: unknown, kind: ColumnKind): string {
  if (value === null || value === undefined) return 'null'
  if (kind !== 'json') return JSON.stringify(value)
  const text = String(value)
  return /[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text
}

const keyValues = (key: readonly unknown[]) =>
  Object.fromEntries(key.map((value, index) => [`key${index}`, value]))

function pageQueries(target: QueryTarget, table: TableToDump) {
  const { dialect } = target
  const name = sql.identifier(table.name)
  const items = table.columns.map(
    (column, index) =>
      sql`${dialect.select(sql`${sql.identifier(column.name)}`, column.kind)} as ${sql.identifier(alias(index))}`,
  )
  const columns = Object.fromEntries(
    table.columns.map((column, index) => [
      alias(index),
      { column: column.name, kind: column.kind === 'json' ? ('text' as const) : column.kind },
    ]),
  )
  const order = sql.join(
    table.key.map((column) => sql`${sql.identifier(column)}`),
    sql`, `,
  )
  const page = (where: SQL, limit: SQL) =>
    sql`select ${sql.join(items, sql`, `)} from ${name} ${where} order by ${order} limit ${limit}`
  const kindOf = (column: string) => table.columns.find((each) => each.name === column)?.kind ?? 'string'
  return {
    first: query<Row>(target, (value) => page(sql``, value('limit', 'integer')), columns),
    next: query<Row>(
      target,
      (value) => {
        const keys = table.key.map((column, index) => ({
          column: sql`${sql.identifier(column)}`,
          value: () => value(`key${index}`, kindOf(column)),
        }))
        return page(sql`where ${isAfter(keys)}`, value('limit', 'integer'))
      },
      columns,
    ),
  }
}

interface KeyPart {
  readonly column: SQL
  value(): SQL
}

/** Row value comparison would be equivalent, but MySQL uses no index for it. */
function isAfter([first, ...rest]: readonly KeyPart[]): SQL {
  if (first === undefined) return sql`1 = 1`
  const { column, value } = first
  if (rest.length === 0) return sql`${column} > ${value()}`
  return sql`${column} >= ${value()} and (${column} > ${value()} or (${isAfter(rest)}))`
}
