import { sql } from 'drizzle-orm'
import type { Auth } from '../../auth/auth.ts'
import { type Database, type Query, query } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import { type Attribute, type ContentType, columnOf } from '../../schemas/schemas.ts'

interface Title {
  readonly id: number
  readonly title: string | null
}

/** What entries are called, for lists of entries of several types. */
export interface EntryTitles {
  /** By type and id (`article 7`); without those that the caller may not read. One query a type. */
  of(
    entries: ReadonlyMap<ContentType, readonly number[]>,
    principal: Principal,
  ): Promise<ReadonlyMap<string, string>>
}

const usualNames = ['title', 'name', 'label', 'headline', 'subject']

export function createEntryTitles(database: Database, auth: Auth): EntryTitles {
  const queries = new Map<ContentType, Query<Title> | undefined>()

  function queryOf(type: ContentType): Query<Title> | undefined {
    if (!queries.has(type)) queries.set(type, titleQuery(type, database))
    return queries.get(type)
  }

  function mayRead({ name, options }: ContentType, principal: Principal): boolean {
    if (!auth.mayContent(principal, name, 'read')) return false
    return !options.draftAndPublish || auth.seesDrafts(principal, name)
  }

  return {
    async of(entries, principal) {
      const titles = new Map<string, string>()
      for (const [type, ids] of entries) {
        if (!mayRead(type, principal)) continue
        for (const { id, title } of (await queryOf(type)?.all({ ids })) ?? []) {
          if (title !== null) titles.set(`${type.name} ${id}`, title)
        }
      }
      return titles
    },
  }
}

function titleQuery(type: ContentType, database: Database): Query<Title> | undefined {
  const column = titleAttribute(type)?.column
  if (column === undefined) return undefined
  return query<Title>(
    database,
    (_, inList) => sql`select id, ${sql.identifier(column)} as title from ${sql.identifier(type.table)}
      where ${inList(sql`id`, 'ids', 'id')}`,
    { id: { column: 'id', kind: 'id' }, title: { column, kind: 'text' } },
  )
}

/** The attribute that is called like a title, else the first short text. */
function titleAttribute({ attributes }: ContentType): Attribute | undefined {
  const texts = [...attributes.values()].filter(isText)
  return texts.find(({ name }) => usualNames.includes(name)) ?? texts.find(({ type }) => type === 'string')
}

function isText(attribute: Attribute): boolean {
  const isShown = !attribute.private && columnOf(attribute) !== undefined
  return isShown && ['string', 'text', 'email'].includes(attribute.type)
}
