import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { type Auth, shownActor } from '../../accounts/auth/auth.ts'
import {
  type Columns,
  type Database,
  type Query,
  query,
  selectList,
} from '../../foundation/database/database.ts'
import { strict } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { EntryMeta, RestrictedEntry, Restriction } from '../content/content.ts'
import type { Author, Authors } from './authors.ts'
import { createdByColumn, createdByNameColumn, updatedByColumn, updatedByNameColumn } from './columns.ts'

interface AuthorRow {
  readonly id: number
  readonly actor: string
  readonly name: string
}

interface AuthorColumns {
  readonly actor: string
  readonly name: string
}

const authorSchema = Type.Union([
  Type.Object({ kind: Type.String(), id: Type.Integer(), username: Type.String() }, strict),
  Type.Null(),
])

const creator: AuthorColumns = { actor: createdByColumn, name: createdByNameColumn }
const lastAuthor: AuthorColumns = { actor: updatedByColumn, name: updatedByNameColumn }

/** The metadata fields for the users who created entries and last wrote them. */
export function authorMetas(database: Database, auth: Auth): readonly EntryMeta[] {
  return [
    authorMeta('created_by', creator, { auth, load: authorsIn(creator, database) }),
    authorMeta('updated_by', lastAuthor, { auth, load: authorsIn(lastAuthor, database) }),
  ]
}

/** See `Authors.lastOf`. */
export function lastAuthors(database: Database): Authors['lastOf'] {
  const load = authorsIn(lastAuthor, database)
  return async (type, ids, on) => (type.system || ids.length === 0 ? new Map() : load(type, ids, on))
}

function authorsIn(columns: AuthorColumns, database: Database): Authors['lastOf'] {
  const made = new Map<ContentType, Query<AuthorRow>>()

  function queryOf(type: ContentType): Query<AuthorRow> {
    const found = made.get(type) ?? authorQuery(type, columns, database)
    made.set(type, found)
    return found
  }

  return async (type, ids, on) => {
    const rows = await queryOf(type).all({ ids }, on)
    return new Map(rows.map((row) => [row.id, authorIn(row)]))
  }
}

function authorMeta(
  name: string,
  columns: AuthorColumns,
  { auth, load }: { readonly auth: Auth; readonly load: Authors['lastOf'] },
): EntryMeta {
  return {
    name,
    schema: authorSchema,
    matches: ({ system }) => !system,
    async load(type, ids, queries, principal) {
      const knowsNames = auth.knowsAdminNames(principal)
      const found = await load(type, ids, queries)
      return new Map([...found].map(([id, author]) => [id, shownActor(author, knowsNames)]))
    },
    valueOfOthers: () => null,
    selection: {
      name,
      havingOneOf: (_type, values) => writtenBy(values, columns),
      havingNone: () => ({
        shape: columns.actor,
        values: [],
        where: (entry) => sql`${entry.column(columns.actor)} is null`,
      }),
      tellsAdminNames: (values) => values?.every((value) => actorPattern.test(value)) !== true,
      order: () => ({ shape: columns.name, values: [], of: (entry) => entry.column(columns.name) }),
    },
  }
}

function authorQuery({ table }: ContentType, names: AuthorColumns, database: Database): Query<AuthorRow> {
  const columns = {
    id: { column: 'id', kind: 'id' },
    actor: { column: names.actor, kind: 'string' },
    name: { column: names.name, kind: 'string' },
  } as const satisfies Columns
  return query<AuthorRow>(
    database,
    (_, inList) => sql`select ${selectList(database, columns)} from ${sql.identifier(table)}
      where ${inList(sql`id`, 'ids', 'id')} and ${sql.identifier(names.actor)} is not null`,
    columns,
  )
}

function authorIn({ actor, name }: AuthorRow): Author {
  const [kind = '', id] = actor.split(':')
  return { kind, id: Number(id), username: name }
}

const actorPattern = /^(admin|user|token):\d{1,15}$/

/** Entries written by an actor such as `admin:7`, or by a user with this name at that time. */
function writtenBy(values: readonly string[], { actor, name }: AuthorColumns): Restriction {
  const alternatives = (entry: RestrictedEntry) =>
    values.map((value, index) => {
      const column = actorPattern.test(value) ? actor : name
      return sql`${entry.column(column)} = ${entry.value(index)}`
    })
  const kinds = values.map((value) => (actorPattern.test(value) ? 'a' : 'n')).join('')
  return {
    shape: `${actor} ${kinds}`,
    values: values.map((value) => ({ kind: 'string', value })),
    // Never unknown in SQL: a null author equals nothing, so the result is false.
    where: (entry) => sql`(${sql.join(alternatives(entry), sql` or `)}) is true`,
  }
}
