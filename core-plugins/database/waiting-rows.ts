import type { SQL } from 'drizzle-orm'
import { type Database, DatabaseError, type Queries } from './database.ts'
import { type Query, query, type Value } from './query.ts'

/** Makes of a query's failure what is thrown in its place. */
export type Explain = (error: unknown) => unknown

/** The inserts into one table with the same columns. */
export interface TableInsert {
  readonly database: Database
  readonly table: string
  /** Tells it from inserts of other columns into the same table. */
  readonly name: string
  /** An insert of so many rows, with the values `<name><row>`. */
  sql(count: number, value: Value): SQL
}

/** Rows that wait in a transaction for its next statement; see `InsertMany.soon`. */
export interface WaitingRows {
  readonly insert: TableInsert
  readonly statement: Query<unknown>
  readonly count: number
  readonly values: Readonly<Record<string, unknown>>
  readonly explain: Explain | undefined
}

/** Those of a larger statement would make more texts than the database should keep prepared. */
const maxRowsTogether = 16
const maxTexts = 500

/** Inserts rows in the order in which they have come; as one statement where the database has such statements. */
export async function insertWaiting(waiting: readonly WaitingRows[], on: Queries): Promise<void> {
  const together = statementTogether(waiting)
  if (together === undefined) {
    await Promise.all(
      waiting.map((rows) => explained(rows.statement.run(rows.values, on), () => rows.explain)),
    )
    return
  }
  const values = Object.fromEntries(
    waiting.flatMap((rows, part) =>
      Object.entries(rows.values).map(([name, value]) => [`${part}.${name}`, value]),
    ),
  )
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

/** By the tables and numbers of rows that they are for. */
const texts = new WeakMap<Database, Map<string, Query<unknown>>>()

function statementTogether(waiting: readonly WaitingRows[]): Query<unknown> | undefined {
  const database = waiting[0]?.insert.database
  if (database?.dialect.insertsTogether === undefined || waiting.length < 2) return undefined
  const tables = new Set(waiting.map(({ insert }) => insert.table))
  const count = waiting.reduce((sum, rows) => sum + rows.count, 0)
  // Within one statement nothing tells which of two inserts into the same table comes first.
  if (tables.size < waiting.length || count > maxRowsTogether) return undefined
  return keptText(database, waiting, database.dialect.insertsTogether)
}

function keptText(
  database: Database,
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
        insert.sql(count, (name, kind) => value(`${part}.${name}`, kind)),
      ),
    ),
  )
  kept.set(key, made)
  return made
}
