import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { ContentQueries, VisibleEntries } from '../../entries/content/content.ts'
import type { ColumnKinds, Database, Statement } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType, RelationAttribute, Schemas } from '../../foundation/schemas/schemas.ts'
import { usagesTable } from './tables.ts'
import type { UsagePlaces } from './usage-places.ts'

/** A relation, with a foreign key, by which entries of a type refer to others. */
export interface Referrer {
  readonly type: ContentType
  readonly attribute: RelationAttribute
}

/** An entry that refers to another one. */
export interface ReferringEntry {
  readonly id: number
  readonly isInTrash: boolean
}

/** An entry that refers to another one in a component, a zone or its pending draft. */
export interface ReferringPlace extends ReferringEntry {
  readonly field: string
  readonly isDraft: boolean
}

export interface ReferringParts {
  readonly auth: Auth
  readonly contentQueries: ContentQueries
  readonly database: Database
  readonly schemas: Schemas
  readonly places: UsagePlaces
}

/** Finds the entries that refer to others, as far as the caller may see them: administrators also see the trash. */
export interface Referring {
  /** The relations that refer to a type from types that the caller may read. */
  referrers(target: string, principal: Principal): readonly Referrer[]
  /** At most `maxFound` + 1. */
  byRelation(referrer: Referrer, ids: readonly number[], principal: Principal): Promise<ReferringEntry[]>
  /** The types that the caller may read and whose entries may refer to the target in components, zones or drafts. */
  leadingTo(target: string, principal: Principal): readonly ContentType[]
  /** At most `maxFound` + 1. */
  byPlace(
    type: ContentType,
    target: { readonly type: string; readonly id: number },
    principal: Principal,
  ): Promise<ReferringPlace[]>
}

/** Counts stop here, so that an entry with very many references does not make the answer slower. */
export const maxFound = 1_000

const maxStatements = 500
const e = sql.identifier('e')
const limit = sql.raw(String(maxFound + 1))

interface FoundRow {
  readonly id: number
  readonly deleted_at?: string | null
  readonly field?: string
  readonly is_draft?: boolean
}

export function createReferring(parts: ReferringParts): Referring {
  const { auth, database, schemas, places } = parts
  const { dialect } = database
  const statements = new LRUCache<string, Statement<FoundRow>>(upTo(maxStatements))
  const mayRead = (principal: Principal) => (type: ContentType) =>
    auth.mayContent(principal, type.name, 'read')

  /** `source` makes the part of the statement after `select`, without the condition for what the caller may see. */
  function statementFor(
    key: string,
    visible: VisibleEntries,
    source: { readonly kinds: ColumnKinds; sql(): SQL },
  ): Statement<FoundRow> {
    const whole = `${visible.key} ${key}`
    const found = statements.get(whole)
    if (found !== undefined) return found
    const made = database.prepare<FoundRow>(
      sql`select ${source.sql()} and ${visible.where('e')} limit ${limit}`,
      source.kinds,
    )
    statements.set(whole, made)
    return made
  }

  function visibleTo(principal: Principal, { name }: ContentType): VisibleEntries {
    const withTrash = auth.isAdministrator(principal) ? 'withTrash' : undefined
    return parts.contentQueries.visible(name, principal, withTrash)
  }

  return {
    referrers: (target, principal) =>
      relationsTo(target, schemas).filter(({ type }) => mayRead(principal)(type)),
    async byRelation(referrer, ids, principal) {
      const visible = visibleTo(principal, referrer.type)
      const statement = statementFor(referrer.attribute.name, visible, relationSource(referrer, parts))
      const values = { ...visible.values, ids: dialect.list([...ids], 'id') }
      return (await database.all(statement, values)).map(entryIn)
    },
    leadingTo: (target, principal) => places.leadingTo(target).filter(mayRead(principal)),
    async byPlace(type, target, principal) {
      const visible = visibleTo(principal, type)
      const seesDrafts = auth.seesDrafts(principal, type.name)
      const statement = statementFor('places', visible, placeSource(type, seesDrafts, database))
      const values = {
        ...visible.values,
        type: dialect.bind(type.name, 'string'),
        target: dialect.bind(target.type, 'string'),
        targetId: dialect.bind(target.id, 'integer'),
      }
      return (await database.all(statement, values)).map((row) => ({
        ...entryIn(row),
        field: row.field ?? '',
        isDraft: row.is_draft === true,
      }))
    },
  }
}

function entryIn({ id, deleted_at }: FoundRow): ReferringEntry {
  return { id, isInTrash: (deleted_at ?? null) !== null }
}

function relationsTo(target: string, { types }: Schemas): Referrer[] {
  return [...types.values()].flatMap((type) =>
    [...type.attributes.values()].flatMap((attribute) => {
      const refers =
        attribute.type === 'relation' && attribute.side === 'owning' && attribute.target === target
      return refers ? [{ type, attribute }] : []
    }),
  )
}

function relationSource({ type, attribute }: Referrer, { database: { dialect }, schemas }: ReferringParts) {
  const { columns, kinds } = shown(type)
  const table = sql`${sql.identifier(type.table)} ${e}`
  const [from, column] = attribute.many
    ? [
        sql`${sql.identifier(schemas.linkTable(type, attribute).name)} l join ${table} on ${e}.id = l.source_id`,
        sql`l.target_id`,
      ]
    : [table, sql`${e}.${sql.identifier(attribute.column)}`]
  return { kinds, sql: () => sql`${columns} from ${from} where ${dialect.inList(column, 'ids', 'id')}` }
}

function placeSource(type: ContentType, seesDrafts: boolean, { dialect }: Database) {
  const { columns, kinds } = shown(type)
  const usages = usagesTable.as('u')
  const names = usages.columns
  const value = (name: string, kind: 'string' | 'integer') => dialect.placeholder(name, kind)
  const drafts = seesDrafts ? sql`` : sql` and not ${names.isDraft}`
  return {
    kinds: { ...kinds, field: 'string', is_draft: 'boolean' } as const,
    sql: () => sql`${columns}, ${names.field} as field, ${names.isDraft} as is_draft
      from ${usages} join ${sql.identifier(type.table)} ${e} on ${e}.id = ${names.entryId}
      where ${names.target} = ${value('target', 'string')} and ${names.targetId} = ${value('targetId', 'integer')}
      and ${names.type} = ${value('type', 'string')}${drafts}`,
  }
}

function shown({ options }: ContentType): { readonly columns: SQL; readonly kinds: ColumnKinds } {
  if (!options.softDelete) return { columns: sql`${e}.id as id`, kinds: { id: 'id' } }
  return {
    columns: sql`${e}.id as id, ${e}.deleted_at as deleted_at`,
    kinds: { id: 'id', deleted_at: 'datetime' },
  }
}
