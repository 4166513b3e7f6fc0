import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  isUniqueViolation,
  type Page,
  query,
} from '../../foundation/database/database.ts'
import type { Range } from '../../foundation/http/http.ts'
import type { Alert, AlertSeverity, AlertStats, AlertStatus } from './alert.ts'
import type { NewAlert } from './alerts.ts'
import { alertsTable } from './tables.ts'

export interface AlertFilter {
  readonly status?: AlertStatus | undefined
  readonly kind?: string | undefined
  readonly severity?: AlertSeverity | undefined
}

/** The rows of `svc_alerts`. */
export interface AlertStore {
  /** Increments the unresolved alert of the kind and subject, or creates one; safe across processes. */
  raise(alert: NewAlert): Promise<{ alert: Alert; isNew: boolean } | undefined>
  resolveOpen(kind: string, subject?: string): Promise<void>
  /** Resolves the alerts of a kind about one of the subjects; a single read if there are none. */
  resolveAmong(kind: string, subjects: readonly string[]): Promise<void>
  find(id: number): Promise<Alert | undefined>
  /** Does nothing unless the alert is open. */
  acknowledge(id: number): Promise<void>
  /** Does nothing if the alert is resolved. */
  resolve(id: number): Promise<void>
  /** Most recently seen first. */
  list(filter: AlertFilter, range: Range): Promise<{ alerts: Alert[]; total: number }>
  stats(): Promise<AlertStats>
}

const shown = alertsTable.except('openKey')

/** Enough for two processes that raise the same alert at the same moment while another resolves it. */
const maxAttempts = 5

export function createAlertStore(database: Database): AlertStore {
  const queries = alertQueries(database)
  const pageOf = createPages(database)

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
      // Another process has created it in the meantime, so it can be incremented.
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
        if (openKey !== null && keys.has(openKey)) await queries.resolveOpen.run({ openKey })
      }
    },
    find: (id) => queries.find.get({ id }),
    async acknowledge(id) {
      await queries.acknowledge.run({ id })
    },
    async resolve(id) {
      await queries.resolve.run({ id })
    },
    async list(filter, range) {
      const page = pageOf(filterNames.filter((name) => filter[name] !== undefined))
      const { rows, total } = await page({ ...filter, ...range })
      return { alerts: rows, total }
    },
    async stats() {
      return summarize(await queries.counts.all())
    },
  }
}

/** A hash of kind and subject, so that the key has a fixed length. */
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

/** Prepared statements by combination of filters. */
function createPages(database: Database): (names: readonly FilterName[]) => Page<Alert> {
  const made = new Map<string, Page<Alert>>()
  const { id, lastSeenAt } = alertsTable.columns
  return (names) => {
    const key = names.join()
    const orderBy = sql`${lastSeenAt} desc, ${id} desc`
    const found = made.get(key) ?? alertsTable.on(database).page(names, { pick: shown, orderBy })
    made.set(key, found)
    return found
  }
}

function alertQueries(database: Database) {
  const alerts = alertsTable.on(database)
  const { id, kind, severity, status, message, details, count, openKey, lastSeenAt } = alertsTable.columns
  const resolved = () => sql`${status} = 'resolved', ${openKey} = null`
  return {
    insert: alerts.insert(),
    countUp: alerts.update(
      (
        value,
      ) => sql`${count} = ${count} + 1, ${severity} = ${value(severity)}, ${message} = ${value(message)},
        ${details} = ${value(details)}, ${lastSeenAt} = ${value(lastSeenAt)}`,
      ['openKey'],
    ),
    findOpen: alerts.find(['openKey'], { pick: shown }),
    openKeys: alerts.find((value) => sql`${kind} = ${value(kind)} and ${openKey} is not null`, {
      pick: ['openKey'],
    }),
    find: alerts.find(['id'], { pick: shown }),
    resolveOpen: alerts.update(resolved, ['openKey']),
    resolve: alerts.update(resolved, (value) => sql`${id} = ${value(id)} and ${status} <> 'resolved'`),
    acknowledge: alerts.update(
      () => sql`${status} = 'acknowledged'`,
      (value) => sql`${id} = ${value(id)} and ${status} = 'open'`,
    ),
    counts: query(
      database,
      () => sql`select ${status}, ${severity}, ${kind}, count(*) as ${sql.identifier('total')}
        from ${alertsTable} group by ${status}, ${severity}, ${kind}`,
      { ...alertsTable.pick('status', 'severity', 'kind'), total: column.integer() },
    ),
  }
}
