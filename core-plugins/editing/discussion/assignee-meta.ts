import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { type Auth, shownActor } from '../../accounts/auth/auth.ts'
import type { EntryMeta, RestrictedEntry, Restriction } from '../../entries/content/content.ts'
import { type Columns, type Database, query, selectList } from '../../foundation/database/database.ts'
import { strict } from '../../foundation/http/http.ts'
import { assignmentsTable } from './tables.ts'

interface Assignee {
  /** The id of the admin user. */
  readonly id: number
  readonly username: string
  readonly role: string
}

const { type, entryId, userId } = assignmentsTable.columns
const users = sql.identifier('svc_admin_users')

/** The admin users that entries are assigned to; filtered by their ids, sorted by the first of their names. */
export function assigneeMeta(database: Database, auth: Auth): EntryMeta {
  const assigned = assigneeQuery(database)
  return {
    name: 'assignees',
    schema: Type.Array(
      Type.Object({ id: Type.Integer(), username: Type.String(), role: Type.String() }, strict),
    ),
    matches: ({ system }) => !system,
    async load({ name }, entryIds, queries, principal) {
      const knowsNames = auth.knowsAdminNames(principal)
      const byEntry = new Map<number, Assignee[]>()
      for (const { entryId, role, ...person } of await assigned.all({ type: name, entryIds }, queries)) {
        const { id, username } = shownActor({ kind: 'admin', ...person }, knowsNames)
        const assignee = { id, username, role }
        const known = byEntry.get(entryId)
        if (known === undefined) byEntry.set(entryId, [assignee])
        else known.push(assignee)
      }
      return byEntry
    },
    valueOfOthers: () => [],
    selection: {
      name: 'assignee',
      havingOneOf({ name }, values) {
        const wrong = values.find((value) => !/^\d{1,15}$/.test(value))
        if (wrong !== undefined) return { problem: 'must be the id of an admin user' }
        return assignedTo(name, values.map(Number))
      },
      havingNone: ({ name }) => ({
        shape: 'none',
        values: [textValue(name)],
        where: (entry) => sql`${entry.column('id')} not in
          (select ${entryId} from ${assignmentsTable} where ${type} = ${entry.value(0)})`,
      }),
      tellsAdminNames: (values) => values === undefined,
      order: ({ name }) => ({
        shape: 'assignee',
        values: [textValue(name)],
        of: (
          entry,
        ) => sql`(select min(u.username) from ${assignmentsTable} a join ${users} u on u.id = a.user_id
          where a.type = ${entry.value(0)} and a.entry_id = ${entry.column('id')})`,
      }),
    },
  }
}

const textValue = (value: string) => ({ kind: 'string', value }) as const

function assignedTo(name: string, userIds: readonly number[]): Restriction {
  const ids = (entry: RestrictedEntry) =>
    sql.join(
      userIds.map((_, index) => entry.value(index + 1)),
      sql`, `,
    )
  return {
    shape: `to ${userIds.length}`,
    values: [textValue(name), ...userIds.map((value) => ({ kind: 'integer', value }) as const)],
    where: (entry) => sql`${entry.column('id')} in (select ${entryId} from ${assignmentsTable}
      where ${type} = ${entry.value(0)} and ${userId} in (${ids(entry)}))`,
  }
}

function assigneeQuery(database: Database) {
  const columns = {
    entryId: { column: 'entry_id', kind: 'integer' },
    id: { column: 'user_id', kind: 'integer' },
    username: { column: 'username', kind: 'string' },
    role: { column: 'role', kind: 'string' },
  } as const satisfies Columns
  return query<Assignee & { entryId: number }>(
    database,
    (value, inList) => sql`select ${selectList(database, columns)} from
      (select a.id as place, a.entry_id, a.user_id, a.role, u.username
        from ${assignmentsTable} a join ${users} u on u.id = a.user_id
        where a.type = ${value('type', 'string')} and ${inList(sql`a.entry_id`, 'entryIds', 'integer')}) as found
      order by place`,
    columns,
  )
}
