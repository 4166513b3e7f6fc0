import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queries } from './database.ts'
import { type Columns, type Query, query } from './query.ts'

/** Inserts rows, given by the names of their columns, with few statements. */
export type InsertMany<R> = (rows: readonly R[], on?: Queries) => Promise<void>

/** Rows of one statement. The statements of all sizes are kept, so it bounds those too. */
const maxRows = 50

/** The largest statement in characters, where rows are large: servers refuse those of more than some megabytes. */
const maxCharacters = 1_000_000

export interface InsertManyOptions {
  readonly table: string
  /** All that are written; an `id` counts up by itself. */
  readonly columns: Columns
  /** Behind the placeholders of a column, for kinds of values that only one database has. */
  readonly casts?: Readonly<Record<string, SQL>>
}

/** Prepares inserts of rows, whose values are named as `columns` are. */
export function insertMany<R extends object>(
  database: Database,
  { table, columns, casts = {} }: InsertManyOptions,
): InsertMany<R> {
  const written = Object.entries(columns).filter(([, { kind }]) => kind !== 'id')
  const names = written.map(([, { column }]) => sql.identifier(column))
  const prepared = new Map<number, Query<unknown>>()

  function statementFor(count: number): Query<unknown> {
    const kept = prepared.get(count)
    if (kept !== undefined) return kept
    const made = query(database, (value) => {
      const rows = Array.from({ length: count }, (_, row) => {
        const values = written.map(
          ([name, { kind }]) => sql`${value(`${name}${row}`, kind)}${casts[name] ?? sql``}`,
        )
        return sql`(${sql.join(values, sql`, `)})`
      })
      return sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)}) values ${sql.join(rows, sql`, `)}`
    })
    prepared.set(count, made)
    return made
  }

  return async (rows, on) => {
    for (const portion of portionsOf(rows)) await statementFor(portion.length).run(numbered(portion), on)
  }
}

function portionsOf<R extends object>(rows: readonly R[]): R[][] {
  const portions: R[][] = []
  let characters = Infinity
  for (const row of rows) {
    const size = sizeOf(row)
    const last = portions.at(-1)
    if (last !== undefined && last.length < maxRows && characters + size <= maxCharacters) {
      last.push(row)
      characters += size
    } else {
      portions.push([row])
      characters = size
    }
  }
  return portions
}

function sizeOf(row: object): number {
  let size = 0
  for (const value of Object.values(row)) if (typeof value === 'string') size += value.length
  return size
}

function numbered(rows: readonly object[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  rows.forEach((row, index) => {
    for (const [name, value] of Object.entries(row)) values[`${name}${index}`] = value
  })
  return values
}
