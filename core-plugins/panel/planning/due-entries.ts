import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { UnpublishTimes } from '../../editing/unpublish-times/unpublish-times.ts'
import type { ContentQueries, VisibleEntries } from '../../entries/content/content.ts'
import type { Database, Statement } from '../../foundation/database/database.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

export type DueAction = 'publish' | 'unpublish'

/** An entry with the time of its publication or unpublication. */
export interface DueRow {
  readonly type: string
  readonly action: DueAction
  readonly id: number
  readonly at: string
}

export interface DueRequest {
  readonly principal: AdminPrincipal
  readonly types: readonly ContentType[]
  readonly actions: readonly DueAction[]
  /** From `from` (exclusive) to `to` (inclusive); ISO 8601. */
  readonly from: string
  readonly to: string
  readonly limit: number
}

export interface DueEntriesParts {
  readonly contentQueries: ContentQueries
  readonly database: Database
  /** Undefined if the plugin is off, so no entry is unpublished at a set time. */
  readonly unpublishTimes: UnpublishTimes | undefined
}

/** The part of the statement for one type. */
interface TypePart {
  readonly type: ContentType
  readonly visible: VisibleEntries
  /** The number in the table alias. */
  readonly index: number
}

const maxStatements = 50

/** Finds the changes due in a time range, earliest first: one statement for all types, cached for callers who see the same. */
export function createDueEntries({ contentQueries, database, unpublishTimes }: DueEntriesParts) {
  const { dialect } = database
  const statements = new LRUCache<string, Statement<DueRow>>(upTo(maxStatements))
  const bounds = {
    from: dialect.placeholder('from', 'datetime'),
    to: dialect.placeholder('to', 'datetime'),
    limit: dialect.placeholder('limit', 'integer'),
  }

  function partsOf(part: TypePart, actions: readonly DueAction[]): SQL[] {
    return [
      ...(actions.includes('publish') ? [becomingPublic(part, bounds)] : []),
      ...(actions.includes('unpublish') && unpublishTimes !== undefined
        ? [ending(part, bounds, unpublishTimes)]
        : []),
    ]
  }

  function statementFor(parts: readonly TypePart[], actions: readonly DueAction[]) {
    const key = [...actions, ...parts.map(({ visible }) => visible.key)].join()
    const found = statements.get(key)
    if (found !== undefined) return found
    const selects = parts.flatMap((part) => partsOf(part, actions))
    const made = database.prepare<DueRow>(
      sql`select * from (${sql.join(selects, sql` union all `)}) as due
        order by at, type, id limit ${bounds.limit}`,
      { type: 'string', action: 'string', id: 'id', at: 'datetime' },
    )
    statements.set(key, made)
    return made
  }

  return async ({ types, actions, principal, from, to, limit }: DueRequest): Promise<DueRow[]> => {
    if (types.length === 0) return []
    const parts = types.map((type, index) => ({
      ...{ type, index },
      visible: contentQueries.visible(type.name, principal),
    }))
    return database.all(statementFor(parts, actions), {
      ...Object.assign({}, ...parts.map(({ visible }) => visible.values)),
      from: dialect.bind(from, 'datetime'),
      to: dialect.bind(to, 'datetime'),
      limit: dialect.bind(limit, 'integer'),
    })
  }
}

type Bounds = Readonly<Record<'from' | 'to' | 'limit', SQL>>

/** The earliest ones of a type, read from its index by time in reverse order. */
function becomingPublic(part: TypePart, bounds: Bounds): SQL {
  const alias = `e${part.index}`
  const at = sql`${sql.identifier(alias)}.${sql.identifier('published_at')}`
  return dueOf(part, { action: 'publish', alias, at, join: sql.empty(), bounds })
}

function ending(part: TypePart, bounds: Bounds, unpublishTimes: UnpublishTimes): SQL {
  const alias = `u${part.index}`
  const times = sql.identifier(`t${part.index}`)
  const join = sql`join (${unpublishTimes.ofType(part.type.name)}) ${times}
    on ${times}.entry_id = ${sql.identifier(alias)}.${sql.identifier('id')}`
  return dueOf(part, { action: 'unpublish', alias, at: sql`${times}.unpublish_at`, join, bounds })
}

interface DueParts {
  readonly action: DueAction
  readonly alias: string
  readonly at: SQL
  readonly join: SQL
  readonly bounds: Bounds
}

function dueOf(
  { type: { name, table }, visible }: TypePart,
  { action, alias, at, join, bounds: { from, to, limit } }: DueParts,
): SQL {
  const id = sql`${sql.identifier(alias)}.${sql.identifier('id')}`
  // Safe to inline: type names consist of letters, digits and hyphens.
  const named = sql`${sql.raw(`'${name}'`)} as type, ${sql.raw(`'${action}'`)} as action`
  return sql`select * from (select ${named}, ${id} as id, ${at} as at
    from ${sql.identifier(table)} ${sql.identifier(alias)} ${join}
    where ${at} > ${from} and ${at} <= ${to} and ${visible.where(alias)}
    order by ${at}, ${id} desc limit ${limit}) as ${sql.identifier(`d${alias}`)}`
}
