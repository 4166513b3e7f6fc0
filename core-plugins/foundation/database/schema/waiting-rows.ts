import type { SQL } from 'drizzle-orm'
import { DatabaseError } from '../database-error.ts'
import { type Query, query, type Value, valueMaker } from '../statements/query.ts'
import type { Queries, QueryTarget } from '../statements/query-target.ts'
import { keptNames } from './kept-names.ts'

/** Converts a query's error into the one to throw. */
export type Explain = (error: unknown) => unknown

/** The inserts into one table with the same columns. */
export interface TableInsert {
  readonly database: QueryTarget
  readonly table: string
  /** Distinguishes it from inserts of other columns into the same table. */
  readonly name: string
  /** An insert of a number of rows, with values named `<name><row>`. */
  sql(count: number, value: Value): SQL
}

/** Rows that a transaction inserts with its next statement; see `InsertMany.soon`. */
export interface WaitingRows {
  readonly insert: TableInsert
  readonly statement: Query<unknown>
  readonly count: number
  readonly values: Readonly<Record<string, unknown>>
  readonly explain: Explain | undefined
}

/** Larger statements would produce more distinct texts than the database should keep prepared. */
const maxRowsTogether = 16
const maxTexts = 500

/** Inserts rows in the order in which they were added; in one statement if the database supports that. */
export async function insertWaiting(waiting: readonly WaitingRows[], on: Queries): Promise<void> {
  const together = statementTogether(waiting)
  if (together === undefined) {
    await Promise.all(
      waiting.map((rows) => explained(rows.statement.run(rows.values, on), () => rows.explain)),
    )
    return
  }
  const values: Record<string, unknown> = {}
  waiting.forEach((rows, part) => {
    for (const name in rows.values) values[partName(name, part)] = rows.values[name]
  })
  await explained(
    together.run(values, on),
    (table) => waiting.find(({ insert }) => insert.table === table)?.explain,
  )
}

async function explained(
  sent: Promise<unknown>,
  explainOf: (table: string | undefined) => Explain | undefined,
) {
  try {
    await sent
  } catch (error) {
    const explain = explainOf(error instanceof DatabaseError ? error.table : undefined)
    throw explain === undefined ? error : explain(error)
  }
}

const partName = keptNames((name, part) => `${part}.${name}`)

/** By the combination of tables and row counts. */
const texts = new WeakMap<QueryTarget, Map<string, Query<unknown>>>()

function statementTogether(waiting: readonly WaitingRows[]): Query<unknown> | undefined {
  const database = waiting[0]?.insert.database
  if (database?.dialect.insertsTogether === undefined || waiting.length < 2) return undefined
  const tables = new Set(waiting.map(({ insert }) => insert.table))
  const count = waiting.reduce((sum, rows) => sum + rows.count, 0)
  // Within one statement, two inserts into the same table have no defined order.
  if (tables.size < waiting.length || count > maxRowsTogether) return undefined
  return keptText(database, waiting, database.dialect.insertsTogether)
}

function keptText(
  database: QueryTarget,
  waiting: readonly WaitingRows[],
  combine: (inserts: readonly SQL[]) => SQL,
): Query<unknown> | undefined {
  const kept = texts.get(database) ?? new Map<string, Query<unknown>>()
  texts.set(database, kept)
  const key = waiting.map(({ insert, count }) => `${insert.name} ${count}`).join()
  const known = kept.get(key)
  if (known !== undefined || kept.size >= maxTexts) return known
  const made = query(database, (value) =>
    combine(
      waiting.map(({ insert, count }, part) =>
        insert.sql(
          count,
          valueMaker((name, kind) => value(partName(name, part), kind)),
        ),
      ),
    ),
  )
  kept.set(key, made)
  return made
}
