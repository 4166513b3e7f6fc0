import { type SQL, sql } from 'drizzle-orm'
import { column, type Database, type Page, query, type Value } from '../../foundation/database/database.ts'
import type { Principal, Range } from '../../foundation/http/http.ts'
import type { Audit, AuditRecord } from './audit.ts'
import { createLatestWrites } from './latest-writes.ts'
import { type AuditEntry, auditTable } from './tables.ts'

/** The filter of a list; see the query parameters of the route. */
export interface AuditFilter {
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly resource?: string | undefined
  /** ISO 8601, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AuditLog extends Audit {
  /** Newest first. */
  list(filter: AuditFilter, range: Range): Promise<{ entries: AuditEntry[]; total: number }>
  /** Deletes entries older than a given time, in small batches; returns the number deleted. */
  prune(before: string, signal?: AbortSignal): Promise<number>
}

const { id, action, actorKind, actorId, actorName, resource, createdAt } = auditTable.columns

/** Creates the log over `svc_audit_logs`. */
export function createAuditLog(database: Database): AuditLog {
  const insert = auditTable.on(database).insertMany()
  const pageOf = createPages(database)
  const prunes = pruneQueries(database)
  const latestWrites = createLatestWrites(database)
  return {
    async record(record, queries) {
      await insert([rowOf(record)], queries)
    },
    recordMany: (records, queries) => insert(records.map(rowOf), queries),
    recordSoon(records, tx) {
      insert.soon(records.map(rowOf), tx)
    },
    latestWrites,
    async list(filter, range) {
      const { names, values } = conditionsOf(filter)
      const { rows, total } = await pageOf(names)({ ...values, ...range })
      return { entries: rows, total }
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

// The lengths of their columns; a longer name or path must not fail the request it describes.
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
  action: (value) => sql`${action} = ${value(action)}`,
  area: (value) => sql`${action} >= ${value(action, 'areaFrom')} and ${action} < ${value(action, 'areaTo')}`,
  actorKind: (value) => sql`${actorKind} = ${value(actorKind)}`,
  actorId: (value) => sql`${actorId} = ${value(actorId)}`,
  actorName: (value) => sql`${actorName} = ${value(actorName)}`,
  resource: (value) => sql`${resource} = ${value(resource)}`,
  resources: (value) => sql`(${resource} = ${value(resource)} or
    ${resource} >= ${value(resource, 'resourceFrom')} and ${resource} < ${value(resource, 'resourceTo')})`,
  from: (value) => sql`${createdAt} >= ${value(createdAt, 'from')}`,
  to: (value) => sql`${createdAt} <= ${value(createdAt, 'to')}`,
} as const satisfies Record<string, Condition>

type ConditionName = keyof typeof conditions

/** The conditions of a filter, and their values. */
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

/** `content.*` matches every action of the area. */
function actionConditions(action: string | undefined) {
  if (action === undefined) return {}
  if (!action.endsWith('.*')) return { action: { action } }
  const area = action.slice(0, -2)
  // `/` follows `.` in ASCII, so it is the exclusive end of the range of names that begin with the area and a dot.
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

/** `article` matches all articles, and a resource named exactly `article`. */
function resourceConditions(resource: string | undefined) {
  if (resource === undefined) return {}
  if (resource.includes(':')) return { resource: { resource } }
  return { resources: { resource, resourceFrom: `${resource}:`, resourceTo: `${resource};` } }
}

/** Prepared statements by combination of conditions, so that each can use an index. */
function createPages(database: Database): (names: readonly ConditionName[]) => Page<AuditEntry> {
  const made = new Map<string, Page<AuditEntry>>()
  return (names) => {
    const key = [...names].sort().join()
    const found = made.get(key) ?? pageWhere(database, names)
    made.set(key, found)
    return found
  }
}

function pageWhere(database: Database, names: readonly ConditionName[]): Page<AuditEntry> {
  const where = (value: Value) =>
    sql.join(
      names.map((name) => conditions[name](value)),
      sql` and `,
    )
  return auditTable.on(database).page(names.length === 0 ? [] : where, { orderBy: sql`${id} desc` })
}

const portion = 1_000

/** Deletes in batches, so that other transactions do not wait long for locks. */
function pruneQueries(database: Database) {
  const isOld = (value: Value) => sql`${createdAt} < ${value(createdAt, 'before')}`
  return {
    portion: query(
      database,
      (value) => sql`select max(${id}) as ${sql.identifier('last')} from (
        select ${id} from ${auditTable} where ${isOld(value)} order by ${id} limit ${sql.raw(String(portion))}
      ) as oldest`,
      { last: column.integer().nullable() },
    ),
    remove: auditTable.on(database).delete((value) => sql`${id} <= ${value(id, 'last')} and ${isOld(value)}`),
  }
}
