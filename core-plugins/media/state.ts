import { sql } from 'drizzle-orm'
import { type Database, query, type TableSpec } from '../database/database.ts'

/** What derived data was last made from, so that a start knows whether it is still right. */
export const stateTable: TableSpec = {
  name: 'svc_media_state',
  columns: [
    { name: 'name', kind: 'string', length: 100 },
    { name: 'value', kind: 'text' },
  ],
  primaryKey: ['name'],
}

export interface MediaState {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

export function createMediaState(database: Database): MediaState {
  const table = sql.identifier(stateTable.name)
  const selection = query<{ value: string }>(
    database,
    (value) => sql`select value from ${table} where name = ${value('name', 'string')}`,
    { value: { column: 'value', kind: 'text' } },
  )
  const removal = query(
    database,
    (value) => sql`delete from ${table} where name = ${value('name', 'string')}`,
  )
  const insertion = query(
    database,
    (value) =>
      sql`insert into ${table} (name, value) values (${value('name', 'string')}, ${value('value', 'text')})`,
  )
  return {
    get: async (name) => (await selection.get({ name }))?.value,
    set: (name, value) =>
      database.transaction(async (tx) => {
        await removal.run({ name }, tx)
        await insertion.run({ name, value }, tx)
      }),
  }
}
