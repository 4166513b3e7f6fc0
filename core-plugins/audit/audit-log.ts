import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertMany,
  type Query,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../database/database.ts'
import type { Principal, Range } from '../http/http.ts'
import type { Audit, AuditRecord } from './audit.ts'

/** A row of `svc_audit_logs`. */
export interface AuditEntry {
  readonly id: number
  readonly action: string
  readonly actorKind: string | null
  readonly actorId: number | null
  readonly actorName: string | null
  readonly resource: string | null
  readonly details: unknown
  readonly ip: string | null
  readonly createdAt: string
}

/** What a list is narrowed by; see the query parameters of the route. */
export interface AuditFilter {
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly resource?: string | undefined
  /** ISO 8601, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AuditLog extends Audit {
  /** With the next statement of the transaction. */
  recordSoon(records: readonly AuditRecord[], tx: Transaction): void
  /** Newest first. */
  list(filter: AuditFilter, range: Range): Promise<{ entries: AuditEntry[]; total: number }>
  /** Deletes what is older than a moment, in small portions, until there is no more; answers how many that were. */
  prune(before: string, signal?: AbortSignal): Promise<number>
}

const columns = {
  id: { column: 'id', kind: 'id' },
  action: { column: 'action', kind: 'string' },
  actorKind: { column: 'actor_kind', kind: 'string' },
  actorId: { column: 'actor_id', kind: 'integer' },
  actorName: { column: 'actor_name', kind: 'string' },
  resource: { column: 'resource', kind: 'string' },
  details: { column: 'details', kind: 'json' },
  ip: { column: 'ip', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

const table = sql`svc_audit_logs`

/** Makes the log over `svc_audit_logs`. */
export function createAuditLog(database: Database): AuditLog {
  const insert = insertMany<ReturnType<typeof rowOf>>(database, { table: 'svc_audit_logs', columns })
  const lists = createLists(database)
  const prunes = pruneQueries(database)
  return {
    async record(record, queries) {
      await insert([rowOf(record)], queries)
    },
    recordSoon(records, tx) {
      insert.soon(records.map(rowOf), tx)
    },
    async list(filter, { limit, offset }) {
      const { names, values } = conditionsOf(filter)
      const { page, count } = lists(names)
      const [entries, counted] = await Promise.all([
        page.all({ ...values, limit, offset }),
        count.get(values),
      ])
      return { entries, total: counted?.total ?? 0 }
    },
    async prune(before, signal) {
      let removed = 0
      while (signal?.aborted !== true) {
        const { last = null } = (await prunes.portion.get({ before })) ?? {}
        if (last === null) break
        removed += (await prunes.remove.run({ last, before })).changes
      }
      return removed
    },
  }
}

// As long as their columns; a name or path that is longer must not fail what it tells of.
const maxText = 255

function rowOf({ action, principal, resource, details, ip }: AuditRecord) {
  return {
    action: action.slice(0, 100),
    ...actorOf(principal),
    resource: resource?.slice(0, maxText) ?? null,
    details: details ?? null,
    ip: ip?.slice(0, 64) ?? null,
    createdAt: new Date().toISOString(),
  }
}

function actorOf(principal: Principal | null) {
  if (principal === null || principal.kind === 'anonymous') {
    return { actorKind: null, actorId: null, actorName: null }
  }
  const name = principal.kind === 'token' ? principal.name : principal.username
  return { actorKind: principal.kind, actorId: principal.id, actorName: name.slice(0, maxText) }
}

type Condition = (value: Value) => SQL

const conditions = {
  action: (value) => sql`action = ${value('action', 'string')}`,
  area: (value) => sql`action >= ${value('areaFrom', 'string')} and action < ${value('areaTo', 'string')}`,
  actorKind: (value) => sql`actor_kind = ${value('actorKind', 'string')}`,
  actorId: (value) => sql`actor_id = ${value('actorId', 'integer')}`,
  actorName: (value) => sql`actor_name = ${value('actorName', 'string')}`,
  resource: (value) => sql`resource = ${value('resource', 'string')}`,
  resources: (value) => sql`(resource = ${value('resource', 'string')} or
    resource >= ${value('resourceFrom', 'string')} and resource < ${value('resourceTo', 'string')})`,
  from: (value) => sql`created_at >= ${value('from', 'datetime')}`,
  to: (value) => sql`created_at <= ${value('to', 'datetime')}`,
} as const satisfies Record<string, Condition>

type ConditionName = keyof typeof conditions

/** The conditions that a filter asks for, and the values that they compare with. */
function conditionsOf(filter: AuditFilter) {
  const { from, to } = filter
  const asked: Partial<Record<ConditionName, Record<string, unknown>>> = {
    ...actionConditions(filter.action),
    ...actorConditions(filter.actor),
    ...resourceConditions(filter.resource),
    ...(from === undefined ? {} : { from: { from: new Date(from).toISOString() } }),
    ...(to === undefined ? {} : { to: { to: new Date(to).toISOString() } }),
  }
  const names = Object.keys(asked) as ConditionName[]
  return { names, values: Object.assign({}, ...Object.values(asked)) as Record<string, unknown> }
}

/** `content.*` is every action of the area. */
function actionConditions(action: string | undefined) {
  if (action === undefined) return {}
  if (!action.endsWith('.*')) return { action: { action } }
  const area = action.slice(0, -2)
  // The character after the dot ends the range of what begins with the area and a dot.
  return { area: { areaFrom: `${area}.`, areaTo: `${area}/` } }
}

function actorConditions(actor: string | undefined) {
  if (actor === undefined) return {}
  const [, kind, id] = /^(?:(admin|user|token):)?(\d{1,15})$/.exec(actor) ?? []
  if (id === undefined) return { actorName: { actorName: actor } }
  return {
    actorId: { actorId: Number(id) },
    ...(kind === undefined ? {} : { actorKind: { actorKind: kind } }),
  }
}

/** `article` is every article, and what has no more of a name than that. */
function resourceConditions(resource: string | undefined) {
  if (resource === undefined) return {}
  if (resource.includes(':')) return { resource: { resource } }
  return { resources: { resource, resourceFrom: `${resource}:`, resourceTo: `${resource};` } }
}

interface ListQueries {
  readonly page: Query<AuditEntry>
  readonly count: Query<{ total: number }>
}

/** Statements by the conditions that they have, so that each of them can use an index. */
function createLists(database: Database): (names: readonly ConditionName[]) => ListQueries {
  const made = new Map<string, ListQueries>()
  const total = { total: { column: 'total', kind: 'integer' } } as const
  const whereOf = (names: readonly ConditionName[], value: Value) => {
    const parts = names.map((name) => conditions[name](value))
    return parts.length === 0 ? sql`` : sql`where ${sql.join(parts, sql` and `)}`
  }
  return (names) => {
    const key = [...names].sort().join()
    const found = made.get(key) ?? {
      page: query<AuditEntry>(
        database,
        (value) => sql`select ${selectList(database, columns)} from ${table} ${whereOf(names, value)}
          order by id desc limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
        columns,
      ),
      count: query<{ total: number }>(
        database,
        (value) => sql`select count(*) as ${sql.identifier('total')} from ${table} ${whereOf(names, value)}`,
        total,
      ),
    }
    made.set(key, found)
    return found
  }
}

const portion = 1_000

/** A portion at a time, so that nobody waits long for the locks of a large delete. */
function pruneQueries(database: Database) {
  const isOld = (value: Value) => sql`created_at < ${value('before', 'datetime')}`
  return {
    portion: query<{ last: number | null }>(
      database,
      (value) => sql`select max(id) as ${sql.identifier('last')} from (
        select id from ${table} where ${isOld(value)} order by id limit ${sql.raw(String(portion))}
      ) as oldest`,
      { last: { column: 'last', kind: 'integer' } },
    ),
    remove: query(
      database,
      (value) => sql`delete from ${table} where id <= ${value('last', 'id')} and ${isOld(value)}`,
    ),
  }
}
