import { type SQL, sql } from 'drizzle-orm'
import { keptNames } from '../schema/kept-names.ts'
import type { Explain, TableInsert } from '../schema/waiting-rows.ts'
import { portionsOf } from '../tables/portions.ts'
import { type Columns, type Query, query, type Value, valueMaker } from './query.ts'
import type { Queries, QueryTarget } from './query-target.ts'
import type { Transaction } from './transaction.ts'

/** Inserts rows, whose values are named by column, with few statements. */
export interface InsertMany<R> {
  (rows: readonly R[], on?: Queries): Promise<void>
  /**
   * Hands rows to the transaction, which inserts them with its next statement or its commit, together with other
   * pending rows. `explain` converts a database error into the one to throw.
   */
  soon(rows: readonly R[], tx: Transaction, explain?: Explain): void
}

export interface InsertManyOptions {
  readonly table: string
  /** All columns to write; an `id` is generated. */
  readonly columns: Columns
  /**
   * Expressions to write instead of a column's value, by column name; `value` refers to the values of the
   * row.
   */
  readonly expressions?: Readonly<Record<string, (value: Value) => SQL>>
}

/** Prepares inserts of rows whose values are named like `columns`. */
export function insertMany<R extends object>(
  database: QueryTarget,
  options: InsertManyOptions,
): InsertMany<R> {
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
  database: QueryTarget,
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
        const valueOfRow = valueMaker((name, kind) => value(nameOf(name, row), kind))
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
    for (const name in row) values[nameOf(name, index)] = (row as Record<string, unknown>)[name]
  })
  return values
}

// With a separator, as columns of content types may end in digits.
const nameOf = keptNames((name, index) => `${name}.${index}`)

/** Inserts rows, whose values are named by column, with few statements; returns their ids in the same order. */
export type InsertAnswering<R> = (rows: readonly R[], on: Queries) => Promise<number[]>

/** Prepares inserts of rows into a table that generates an `id` for each. */
export function insertAnsweringIds<R extends object>(
  database: QueryTarget,
  options: InsertManyOptions,
): InsertAnswering<R> {
  const { dialect } = database
  const insert = tableInsert(database, options)
  const prepared = new Map<number, Query<{ id: number }>>()
  const step = dialect.idStep && query<{ step: number }>(database, () => sql`${dialect.idStep}`, stepColumns)

  function statementFor(count: number): Query<{ id: number }> {
    const kept = prepared.get(count)
    if (kept !== undefined) return kept
    const returning = dialect.answersInsertedIds ? sql` returning id` : sql``
    const made = query<{ id: number }>(
      database,
      (value) => sql`${insert.sql(count, value)}${returning}`,
      idColumns,
    )
    prepared.set(count, made)
    return made
  }

  async function insertPortion(portion: readonly R[], on: Queries): Promise<number[]> {
    const statement = statementFor(portion.length)
    if (dialect.answersInsertedIds) {
      const rows = await statement.all(numbered(portion), on)
      // Ids are generated in the order of the values, but the order of the result is not guaranteed.
      return rows.map(({ id }) => Number(id)).sort((left, right) => left - right)
    }
    const { insertId } = await statement.run(numbered(portion), on)
    const by = portion.length === 1 ? undefined : await step?.get({}, on)
    return portion.map((_, index) => insertId + index * Number(by?.step ?? 1))
  }

  return async (rows, on) => {
    const ids: number[] = []
    for (const portion of portionsOf(rows)) ids.push(...(await insertPortion(portion, on)))
    return ids
  }
}

const idColumns = { id: { column: 'id', kind: 'id' } } as const satisfies Columns
const stepColumns = { step: { column: 'step', kind: 'integer' } } as const satisfies Columns
