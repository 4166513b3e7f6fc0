import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  isUniqueViolation,
  type Query,
  query,
  selectList,
  type Value,
} from '../database/database.ts'
import type { Range } from '../http/http.ts'
import type { Alert, AlertSeverity, AlertStatus, NewAlert } from './alerts.ts'

export interface AlertFilter {
  readonly status?: AlertStatus | undefined
  readonly kind?: string | undefined
  readonly severity?: AlertSeverity | undefined
}

/** How many alerts there are; those of severities and kinds are not resolved. */
export interface AlertStats {
  readonly total: number
  readonly byStatus: Readonly<Record<AlertStatus, number>>
  readonly bySeverity: Readonly<Record<AlertSeverity, number>>
  readonly byKind: Readonly<Record<string, number>>
}

/** The rows of `svc_alerts`. */
export interface AlertStore {
  /** Counts the unresolved alert of the kind and subject up, or makes one; at the same time in many processes. */
  raise(alert: NewAlert): Promise<{ alert: Alert; isNew: boolean } | undefined>
  resolveOpen(kind: string, subject?: string): Promise<void>
  /** Those of a kind that are about one of the subjects; with one read where there is none. */
  resolveAmong(kind: string, subjects: readonly string[]): Promise<void>
  find(id: number): Promise<Alert | undefined>
  /** Does nothing to an alert that is not open. */
  acknowledge(id: number): Promise<void>
  /** Does nothing to an alert that is resolved. */
  resolve(id: number): Promise<void>
  /** Those seen last first. */
  list(filter: AlertFilter, range: Range): Promise<{ alerts: Alert[]; total: number }>
  stats(): Promise<AlertStats>
}

const shown = {
  id: { column: 'id', kind: 'id' },
  kind: { column: 'kind', kind: 'string' },
  severity: { column: 'severity', kind: 'string' },
  message: { column: 'message', kind: 'text' },
  details: { column: 'details', kind: 'json' },
  status: { column: 'status', kind: 'string' },
  count: { column: 'occurrences', kind: 'integer' },
  firstSeenAt: { column: 'first_seen_at', kind: 'datetime' },
  lastSeenAt: { column: 'last_seen_at', kind: 'datetime' },
} as const satisfies Columns

const columns = { ...shown, openKey: { column: 'open_key', kind: 'string' } } as const satisfies Columns

const table = sql`svc_alerts`

/** Two that make the same alert at the same moment, and one that resolves it: more often is not likely. */
const maxAttempts = 5

export function createAlertStore(database: Database): AlertStore {
  const queries = alertQueries(database)
  const lists = createLists(database)

  async function raiseOnce(alert: NewAlert): Promise<boolean | undefined> {
    const now = new Date().toISOString()
    const { kind, severity, message, details = null } = alert
    const openKey = keyOf(kind, alert.subject)
    const values = { kind, severity, message, details, openKey, lastSeenAt: now }
    const { changes } = await queries.countUp.run(values)
    if (changes > 0) return false
    try {
      await queries.insert.run({ ...values, status: 'open', count: 1, firstSeenAt: now })
      return true
    } catch (error) {
      // Somebody else has made it meanwhile, and it can be counted up.
      if (isUniqueViolation(error)) return undefined
      throw error
    }
  }

  return {
    async raise(alert) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const isNew = await raiseOnce(alert)
        if (isNew === undefined) continue
        const raised = await queries.findOpen.get({ openKey: keyOf(alert.kind, alert.subject) })
        return raised === undefined ? undefined : { alert: raised, isNew }
      }
      throw new Error(`the alert ${alert.kind} could not be raised: others raise and resolve it all the time`)
    },
    async resolveOpen(kind, subject) {
      await queries.resolveOpen.run({ openKey: keyOf(kind, subject) })
    },
    async resolveAmong(kind, subjects) {
      const keys = new Set(subjects.map((subject) => keyOf(kind, subject)))
      for (const { openKey } of await queries.openKeys.all({ kind })) {
        if (keys.has(openKey)) await queries.resolveOpen.run({ openKey })
      }
    },
    find: (id) => queries.find.get({ id }),
    async acknowledge(id) {
      await queries.acknowledge.run({ id })
    },
    async resolve(id) {
      await queries.resolve.run({ id })
    },
    async list(filter, { limit, offset }) {
      const names = filterNames.filter((name) => filter[name] !== undefined)
      const { page, count } = lists(names)
      const [alerts, counted] = await Promise.all([
        page.all({ ...filter, limit, offset }),
        count.get({ ...filter }),
      ])
      return { alerts, total: counted?.total ?? 0 }
    },
    async stats() {
      return summarize(await queries.counts.all())
    },
  }
}

/** The same length for every subject. */
function keyOf(kind: string, subject = ''): string {
  return createHash('sha256').update(`${kind}\n${subject}`).digest('hex')
}

interface Counts {
  readonly status: AlertStatus
  readonly severity: AlertSeverity
  readonly kind: string
  readonly total: number
}

function summarize(rows: readonly Counts[]): AlertStats {
  const byStatus = { open: 0, acknowledged: 0, resolved: 0 }
  const bySeverity = { info: 0, warning: 0, critical: 0 }
  const byKind: Record<string, number> = {}
  for (const { status, severity, kind, total } of rows) {
    byStatus[status] += total
    if (status === 'resolved') continue
    bySeverity[severity] += total
    byKind[kind] = (byKind[kind] ?? 0) + total
  }
  const total = byStatus.open + byStatus.acknowledged + byStatus.resolved
  return { total, byStatus, bySeverity, byKind }
}

const filterNames = ['status', 'kind', 'severity'] as const

type FilterName = (typeof filterNames)[number]

interface ListQueries {
  readonly page: Query<Alert>
  readonly count: Query<{ total: number }>
}

/** Statements by the conditions that they have. */
function createLists(database: Database): (names: readonly FilterName[]) => ListQueries {
  const made = new Map<string, ListQueries>()
  const whereOf = (names: readonly FilterName[], value: Value): SQL => {
    const parts = names.map((name) => sql`${sql.identifier(name)} = ${value(name, 'string')}`)
    return parts.length === 0 ? sql`` : sql`where ${sql.join(parts, sql` and `)}`
  }
  return (names) => {
    const key = names.join()
    const found = made.get(key) ?? {
      page: query<Alert>(
        database,
        (value) => sql`select ${selectList(database, shown)} from ${table} ${whereOf(names, value)}
          order by last_seen_at desc, id desc
          limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
        shown,
      ),
      count: query<{ total: number }>(
        database,
        (value) => sql`select count(*) as ${sql.identifier('total')} from ${table} ${whereOf(names, value)}`,
        { total: { column: 'total', kind: 'integer' } },
      ),
    }
    made.set(key, found)
    return found
  }
}

function alertQueries(database: Database) {
  const select = sql`select ${selectList(database, shown)} from ${table}`
  const isOpenOne = (value: Value) => sql`open_key = ${value('openKey', 'string')}`
  const isOne = (value: Value) => sql`id = ${value('id', 'id')}`
  const resolved = sql`status = 'resolved', open_key = null`
  return {
    insert: query(database, (value) => insertInto('svc_alerts', columns, value)),
    countUp: query(
      database,
      (value) => sql`update ${table} set occurrences = occurrences + 1,
        severity = ${value('severity', 'string')}, message = ${value('message', 'text')},
        details = ${value('details', 'json')}, last_seen_at = ${value('lastSeenAt', 'datetime')}
        where ${isOpenOne(value)}`,
    ),
    findOpen: query<Alert>(database, (value) => sql`${select} where ${isOpenOne(value)}`, shown),
    openKeys: query<{ openKey: string }>(
      database,
      (value) => sql`select ${selectList(database, { openKey: columns.openKey })} from ${table}
        where kind = ${value('kind', 'string')} and open_key is not null`,
      { openKey: columns.openKey },
    ),
    find: query<Alert>(database, (value) => sql`${select} where ${isOne(value)}`, shown),
    resolveOpen: query(database, (value) => sql`update ${table} set ${resolved} where ${isOpenOne(value)}`),
    resolve: query(
      database,
      (value) => sql`update ${table} set ${resolved} where ${isOne(value)} and status <> 'resolved'`,
    ),
    acknowledge: query(
      database,
      (value) => sql`update ${table} set status = 'acknowledged' where ${isOne(value)} and status = 'open'`,
    ),
    counts: query<Counts>(
      database,
      () => sql`select status, severity, kind, count(*) as ${sql.identifier('total')} from ${table}
        group by status, severity, kind`,
      {
        status: shown.status,
        severity: shown.severity,
        kind: shown.kind,
        total: { column: 'total', kind: 'integer' },
      },
    ),
  }
}
