import { type SQL, sql } from 'drizzle-orm'
import type { Database, Statement, Transaction, Values } from '../../../foundation/database/database.ts'
import type { FittedColumn } from './fit.ts'

/** Inserts many rows into a table with few statements. */
export type InsertRows = (rows: readonly (readonly unknown[])[], tx: Transaction) => Promise<void>

/** A safe number of placeholders in one statement for all databases. */
const maxPlaceholders = 30_000
const maxRows = 256

interface Insertion {
  readonly size: number
  readonly statement: Statement
  readonly names: readonly (readonly string[])[]
}

/** Statements are prepared for powers of two rows, so that a table needs few of them. */
export function createInsertRows(
  database: Database,
  table: string,
  columns: readonly FittedColumn[],
): InsertRows {
  const largest = Math.min(maxRows, 2 ** Math.floor(Math.log2(maxPlaceholders / columns.length)))
  const insertions = new Map<number, Insertion>()
  const insertionOf = (size: number) => {
    const known = insertions.get(size)
    if (known !== undefined) return known
    const made = insertionOfSize(database, { table, columns, size })
    insertions.set(size, made)
    return made
  }
  return async (rows, tx) => {
    for (let start = 0; start < rows.length; ) {
      const size = Math.min(largest, 2 ** Math.floor(Math.log2(rows.length - start)))
      const { statement, names } = insertionOf(size)
      await tx.run(statement, bound(rows.slice(start, start + size), names))
      start += size
    }
  }

  function bound(rows: readonly (readonly unknown[])[], names: Insertion['names']): Values {
    const values: Record<string, unknown> = {}
    rows.forEach((row, index) => {
      columns.forEach(({ kind }, place) => {
        values[names[index]?.[place] ?? ''] = database.dialect.bind(row[place], kind)
      })
    })
    return values
  }
}

function insertionOfSize(
  database: Database,
  { table, columns, size }: { table: string; columns: readonly FittedColumn[]; size: number },
): Insertion {
  const names = Array.from({ length: size }, (_, row) => columns.map((_, place) => `r${row}c${place}`))
  const tuples = names.map((row) => {
    const values = row.map((name, place) =>
      database.dialect.placeholder(name, columns[place]?.kind ?? 'text'),
    )
    return sql`(${list(values)})`
  })
  const into = list(columns.map(({ name }) => sql`${sql.identifier(name)}`))
  const statement = database.prepare(
    sql`insert into ${sql.identifier(table)} (${into}) values ${list(tuples)}`,
  )
  return { size, statement, names }
}

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
