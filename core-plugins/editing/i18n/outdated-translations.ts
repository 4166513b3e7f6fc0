import { sql } from 'drizzle-orm'
import type { Auth } from '../../accounts/auth/auth.ts'
import { type Database, query } from '../../foundation/database/database.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { type InboxSource, newest } from '../inbox/inbox.ts'
import { isLocalized, statusAtColumn, statusColumn } from './columns.ts'

interface OutdatedRow {
  readonly id: number
  readonly at: string | null
}

/** Translations whose source has changed since, for users who may update them. */
export function outdatedTranslations(schemas: Schemas, database: Database, auth: Auth): InboxSource {
  const columns = { id: { column: 'id', kind: 'id' }, at: { column: 'at', kind: 'datetime' } } as const
  const queries = new Map(
    [...schemas.types.values()].filter(isLocalized).map(({ name, table }) => [
      name,
      query<OutdatedRow>(
        database,
        (value) => sql`select id, ${sql.identifier(statusAtColumn)} as at from ${sql.identifier(table)}
          where ${sql.identifier(statusColumn)} = ${value('status', 'string')}
          order by id desc limit ${value('limit', 'integer')}`,
        columns,
      ),
    ]),
  )
  return {
    section: 'outdated',
    async find(principal, limit, types) {
      const written = [...queries].filter(
        ([type]) => types.includes(type) && auth.mayContent(principal, type, 'update'),
      )
      const found = await Promise.all(
        written.map(async ([type, outdated]) => {
          const rows = await outdated.all({ status: 'outdated', limit })
          return rows.map((row) => ({ type, ...row }))
        }),
      )
      return newest(found, limit)
    },
  }
}
