import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { ContentQueries, VisibleEntries } from '../../../entries/content/content.ts'
import type { Database, Statement } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { type Usage, usagesTable } from './usage-store.ts'

export interface VisibleUsagesParts {
  readonly auth: Auth
  readonly contentQueries: ContentQueries
  readonly database: Database
  /** The types whose entries can refer to files. */
  readonly types: readonly ContentType[]
}

export interface ListedUsages {
  readonly mediaIds: readonly number[]
  readonly principal: Principal
  readonly limit: number
  readonly offset: number
}

/** A page of usages, and the total number. */
export interface UsagePage {
  readonly found: readonly VisibleUsage[]
  readonly total: number
}

export type VisibleUsage = Pick<Usage, 'mediaId' | 'type' | 'entryId' | 'field'>

interface Statements {
  readonly list: Statement<VisibleUsage>
  readonly count: Statement<{ total: number }>
}

const maxStatements = 50
const usages = usagesTable.as('u')
const { mediaId, type, entryId, field, isDraft } = usages.columns

/** Lists the usages of files in entries that the caller may see, ordered by type, entry and field. */
export function createVisibleUsages({ auth, contentQueries, database, types }: VisibleUsagesParts) {
  const { dialect } = database
  const kept = new LRUCache<string, Statements>(upTo(maxStatements))

  function statementsFor(partly: readonly ContentType[], visible: readonly VisibleEntries[]): Statements {
    const key = visible.map((each) => each.key).join()
    const found = kept.get(key)
    if (found !== undefined) return found
    const source = sourceOf(partly, visible)
    const page = sql`limit ${dialect.placeholder('limit', 'integer')} offset ${dialect.placeholder('offset', 'integer')}`
    const made: Statements = {
      list: database.prepare<VisibleUsage>(
        sql`select ${mediaId} as ${sql.identifier('mediaId')}, ${type} as type,
          ${entryId} as ${sql.identifier('entryId')}, ${field} as field
          ${source} order by ${type}, ${entryId}, ${field}, ${mediaId} ${page}`,
        { mediaId: 'id', type: 'string', entryId: 'integer', field: 'string' },
      ),
      count: database.prepare<{ total: number }>(sql`select count(*) as total ${source}`, {
        total: 'integer',
      }),
    }
    kept.set(key, made)
    return made
  }

  function sourceOf(partly: readonly ContentType[], visible: readonly VisibleEntries[]): SQL {
    const seen = [
      dialect.inList(sql`${type}`, 'wholly', 'text'),
      ...partly.map((each, index) => isSeen(each, visible[index] as VisibleEntries, `e${index}`)),
    ]
    return sql`from ${usages} where ${dialect.inList(sql`${mediaId}`, 'mediaIds', 'id')} and (${sql.join(seen, sql` or `)})`
  }

  return async ({ mediaIds, principal, limit, offset }: ListedUsages): Promise<UsagePage> => {
    const readable = types.filter(({ name }) => auth.mayContent(principal, name, 'read'))
    const isWhole = ({ name, options }: ContentType) =>
      !options.draftAndPublish || auth.seesDrafts(principal, name)
    const partly = readable.filter((each) => !isWhole(each))
    const visible = partly.map(({ name }) => contentQueries.visible(name, principal))
    const { list, count } = statementsFor(partly, visible)
    const wholly = readable.filter(isWhole).map(({ name }) => name)
    const values = {
      ...Object.assign({}, ...visible.map((each) => each.values)),
      mediaIds: dialect.list([...mediaIds], 'id'),
      wholly: dialect.list(wholly, 'text'),
    }
    const page = { limit: dialect.bind(limit, 'integer'), offset: dialect.bind(offset, 'integer') }
    const [found, [counted]] = await Promise.all([
      database.all(list, { ...values, ...page }),
      database.all(count, values),
    ])
    return { found, total: counted?.total ?? 0 }
  }
}

/**
 * The condition for usages in a type whose drafts the caller may not see. Type names consist of letters, digits and hyphens,
 * so they can be inlined.
 */
function isSeen({ name, table }: ContentType, visible: VisibleEntries, alias: string): SQL {
  const entries = sql`${sql.identifier(table)} ${sql.identifier(alias)}`
  return sql`(${type} = ${sql.raw(`'${name}'`)} and not ${isDraft} and exists (select 1 from ${entries}
    where ${sql.identifier(alias)}.id = ${entryId} and ${visible.where(alias)}))`
}
