import { sql } from 'drizzle-orm'
import { type Database, query, type Transaction } from '../../../foundation/database/database.ts'
import type { SectionTable } from '../section-tables.ts'

/** One statement deletes about this many rows, so that none exceeds the query timeout. */
const rowsAtOnce = 2_000

const kindOf = ({ columns }: SectionTable, name: string) =>
  columns.find((column) => column.name === name)?.kind ?? 'string'

/** Yields to other work of this process, since SQLite is synchronous. */
export const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Deletes all rows of a table. */
export async function deleteAll(database: Database, table: SectionTable, tx: Transaction): Promise<void> {
  const name = sql.identifier(table.name)
  const [first = ''] = table.key
  const column = sql.identifier(first)
  const kind = kindOf(table, first)
  const mark = query<{ mark: unknown }>(
    database,
    () =>
      sql`select ${column} as mark from ${name} order by ${column} limit 1 offset ${sql.raw(String(rowsAtOnce))}`,
    { mark: { column: first, kind } },
  )
  const removal = query(
    database,
    (value) => sql`delete from ${name} where ${column} <= ${value('mark', kind)}`,
  )
  for (;;) {
    const found = await mark.get({}, tx)
    if (found === undefined) break
    await removal.run({ mark: found.mark }, tx)
    await breathe()
  }
  await tx.run(database.prepare(sql`delete from ${name}`))
}

/** Sets a column to null in all rows of a table with an id. */
export async function clearColumn(
  database: Database,
  { table, column: columnName }: { table: SectionTable; column: string },
  tx: Transaction,
): Promise<void> {
  const name = sql.identifier(table.name)
  const column = sql.identifier(columnName)
  const id = sql.identifier(table.key[0] ?? 'id')
  const mark = query<{ mark: number }>(
    database,
    () => sql`select ${id} as mark from ${name} where ${column} is not null order by ${id}
      limit 1 offset ${sql.raw(String(rowsAtOnce))}`,
  )
  const change = query(
    database,
    (value) =>
      sql`update ${name} set ${column} = null where ${column} is not null and ${id} <= ${value('mark', 'id')}`,
  )
  for (;;) {
    const found = await mark.get({}, tx)
    if (found === undefined) break
    await change.run({ mark: found.mark }, tx)
    await breathe()
  }
  await tx.run(database.prepare(sql`update ${name} set ${column} = null where ${column} is not null`))
}

/** Deletes the rows whose ids are not among `ids`, which are in ascending order. */
export async function deleteOthers(
  database: Database,
  { table, ids }: { table: SectionTable; ids: AsyncIterable<number> },
  tx: Transaction,
): Promise<void> {
  const name = sql.identifier(table.name)
  const id = sql.identifier(table.key[0] ?? 'id')
  const removal = query(
    database,
    (
      value,
      inList,
    ) => sql`delete from ${name} where ${id} > ${value('after', 'id')} and ${id} <= ${value('last', 'id')}
      and not (${inList(sql`${id}`, 'kept', 'id')})`,
  )
  let after = -Number.MAX_SAFE_INTEGER
  let kept: number[] = []
  const removeUpTo = async (last: number) => {
    await removal.run({ after, last, kept }, tx)
    after = last
    kept = []
    await breathe()
  }
  for await (const next of ids) {
    kept.push(next)
    if (kept.length === rowsAtOnce) await removeUpTo(next)
  }
  await removeUpTo(Number.MAX_SAFE_INTEGER)
}
