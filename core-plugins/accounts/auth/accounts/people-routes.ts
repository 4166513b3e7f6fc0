import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { Database } from '../../../foundation/database/database.ts'
import { defineRoute, type Route, strict, textSchema } from '../../../foundation/http/http.ts'
import { adminUsersTable } from '../tables.ts'
import { personSchema } from './shown-actor.ts'

const maxPeople = 50
const defaultPeople = 20

/**
 * Admin users by id and username, for assignments and mentions. Searched by username only, since a search by address would
 * reveal addresses letter by letter.
 */
export function createPeopleRoutes(database: Database): Route[] {
  const queries = peopleQueries(database)
  return [
    defineRoute({
      name: 'admin:people.list',
      method: 'GET',
      path: '/admin/people',
      summary: 'Admin users who are not blocked, by username',
      description: 'For assignments and mentions: only what tells them apart.',
      tag: 'People',
      access: 'admin-user',
      query: Type.Object(
        {
          search: Type.Optional({
            ...textSchema({ maxLength: 255 }),
            description: 'A part of the username, in any case',
          }),
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: maxPeople, description: `Default ${defaultPeople}` }),
          ),
        },
        strict,
      ),
      response: Type.Array(personSchema),
      handler({ query: { search = '', limit = defaultPeople } }) {
        const range = { blocked: false, limit, offset: 0 }
        return search === '' ? queries.first.all(range) : queries.matching.all({ ...range, search })
      },
    }),
  ]
}

function peopleQueries(database: Database) {
  const { dialect } = database
  const { username, blocked, id } = adminUsersTable.columns
  const people = adminUsersTable.on(database)
  const shown = { pick: ['id', 'username'], orderBy: sql`${username}, ${id}` } as const
  return {
    first: people.list(['blocked'], shown),
    matching: people.list((value) => {
      const search = dialect.fold(value('search', 'string'))
      return sql`${blocked} = ${value(blocked)} and ${dialect.contains(dialect.fold(sql`${username}`), search)}`
    }, shown),
  }
}
