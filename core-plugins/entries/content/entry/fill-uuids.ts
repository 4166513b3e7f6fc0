import { sql } from 'drizzle-orm'
import { type Database, type Query, query, type Transaction } from '../../../foundation/database/database.ts'
import { type ContentType, hasUuid, type Schemas, uuidColumn } from '../../../foundation/schemas/schemas.ts'

/** Gives a UUID to rows without one: older than the column, from an old backup, or inserted by other programs. */
export interface UuidFiller {
  fill(tx: Transaction): Promise<void>
  /** Works in several transactions; calls `progress` after each. */
  fillAll(progress: () => void): Promise<void>
}

/** Keeps each statement within the time that databases allow. */
const rowsAtOnce = 5_000

interface Filling {
  readonly next: Query<{ readonly id: number }>
  readonly fill: Query<unknown>
}

export function createUuidFiller(database: Database, schemas: Schemas): UuidFiller {
  const fillings = [...schemas.allTypes.values()].filter(hasUuid).map((type) => fillingOf(type, database))
  return {
    async fill(tx) {
      for (const filling of fillings) while (await fillSome(filling, tx));
    },
    async fillAll(progress) {
      for (const filling of fillings) {
        while (await database.transaction((tx) => fillSome(filling, tx))) progress()
      }
    },
  }
}

/** Returns whether more rows may be left. */
async function fillSome({ next, fill }: Filling, tx: Transaction): Promise<boolean> {
  const ids = (await next.all({}, tx)).map(({ id }) => id)
  if (ids.length > 0) await fill.run({ ids }, tx)
  return ids.length === rowsAtOnce
}

function fillingOf({ table: name }: ContentType, database: Database): Filling {
  const [table, uuid] = [sql.identifier(name), sql.identifier(uuidColumn)]
  return {
    next: query(
      database,
      () =>
        sql`select id from ${table} where ${uuid} is null order by id limit ${sql.raw(String(rowsAtOnce))}`,
      { id: { column: 'id', kind: 'id' } } as const,
    ) as Filling['next'],
    fill: query(
      database,
      (_, inList) =>
        sql`update ${table} set ${uuid} = ${database.dialect.newUuid} where ${inList(sql`id`, 'ids', 'id')}`,
    ),
  }
}
