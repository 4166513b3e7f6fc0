import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from './database.ts'
import { portionsOf } from './portions.ts'
import { type Columns, type Query, query, type Value } from './query.ts'
import type { Explain, TableInsert } from './waiting-rows.ts'

/** Inserts rows, given by the names of their columns, with few statements. */
export interface InsertMany<R> {
  (rows: readonly R[], on?: Queries): Promise<void>
  /**
   * Leaves rows to the transaction, which inserts them before its next statement or its commit, sent along with it and
   * with what else was left to it. `explain` makes of the database's refusal what is thrown then.
   */
  soon(rows: readonly R[], tx: Transaction, explain?: Explain): void
}

export interface InsertManyOptions {
  readonly table: string
  /** All that are written; an `id` counts up by itself. */
  readonly columns: Columns
  /** What is written in the place of a column's value, by the column's name; `value` stands for those of the row. */
  readonly expressions?: Readonly<Record<string, (value: Value) => SQL>>
}

/** Prepares inserts of rows, whose values are named as `columns` are. */
export function insertMany<R extends object>(database: Database, options: InsertManyOptions): InsertMany<R> {
  const insert = tableInsert(database, options)
  const prepared = new Map<number, Query<unknown>>()

  function statementFor(count: number): Query<unknown> {
    const kept = prepared.get(count)
    if (kept !== undefined) return kept
    const made = query(database, (value) => insert.sql(count, value))
    prepared.set(count, made)
    return made
  }

  const insertRows = async (rows: readonly R[], on?: Queries) => {
    for (const portion of portionsOf(rows)) await statementFor(portion.length).run(numbered(portion), on)
  }
  return Object.assign(insertRows, {
    soon(rows: readonly R[], tx: Transaction, explain?: Explain) {
      for (const portion of portionsOf(rows)) {
        const values = numbered(portion)
        tx.insertSoon({
          insert,
          statement: statementFor(portion.length),
          count: portion.length,
          values,
          explain,
        })
      }
    },
  })
}

function tableInsert(
  database: Database,
  { table, columns, expressions = {} }: InsertManyOptions,
): TableInsert {
  const written = Object.entries(columns).filter(([, { kind }]) => kind !== 'id')
  const names = written.map(([, { column }]) => sql.identifier(column))
  return {
    database,
    table,
    name: `${table} ${written.map(([name]) => name)}`,
    sql(count, value) {
      const rows = Array.from({ length: count }, (_, row) => {
        const valueOfRow: Value = (name, kind) => value(`${name}${row}`, kind)
        const values = written.map(
          ([name, { kind }]) => expressions[name]?.(valueOfRow) ?? valueOfRow(name, kind),
        )
        return sql`(${sql.join(values, sql`, `)})`
      })
      return sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)}) values ${sql.join(rows, sql`, `)}`
    },
  }
}

function numbered(rows: readonly object[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  rows.forEach((row, index) => {
    for (const [name, value] of Object.entries(row)) values[`${name}${index}`] = value
  })
  return values
}
