import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  idParams,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'
import type { AlertStore } from './alert-store.ts'
import type { Alert, AlertSeverity, AlertStatus } from './alerts.ts'

const tag = 'Alerts'
const path = '/admin/operational-alerts'
const read = { tag, access: 'area', scope: 'admin:alerts:read' } as const
const write = { tag, access: 'area', scope: 'admin:alerts:write' } as const

const statuses: readonly AlertStatus[] = ['open', 'acknowledged', 'resolved']
const severities: readonly AlertSeverity[] = ['info', 'warning', 'critical']
const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)))
const counts = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])), strict)

const alertSchema = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String(),
    severity: oneOf(severities),
    message: Type.String(),
    details: Type.Unknown(),
    status: oneOf(statuses),
    count: Type.Integer({ description: 'How often it was raised' }),
    first_seen_at: timestampSchema,
    last_seen_at: timestampSchema,
  },
  strict,
)

const listQuery = Type.Object(
  {
    status: Type.Optional(oneOf(statuses)),
    severity: Type.Optional(oneOf(severities)),
    kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    ...rangeQuery,
  },
  strict,
)

const statsSchema = Type.Object(
  {
    total: Type.Integer(),
    byStatus: counts(statuses),
    bySeverity: counts(severities),
    byKind: Type.Record(Type.String(), Type.Integer()),
  },
  strict,
)

/** Specification, "Backups, jobs, alerts"; see docs/operations.md. */
export function createAlertRoutes(store: AlertStore): Route[] {
  return [
    defineRoute({
      ...read,
      name: 'admin:alerts.list',
      method: 'GET',
      path,
      summary: 'Alerts, those seen last first',
      query: listQuery,
      response: Type.Array(alertSchema),
      isPaginated: true,
      async handler({ query: { status, severity, kind, ...asked } }) {
        const range = rangeOf(asked)
        const { alerts, total } = await store.list({ status, severity, kind }, range)
        return rangePage(alerts.map(present), total, range)
      },
    }),
    defineRoute({
      ...read,
      name: 'admin:alerts.stats',
      method: 'GET',
      path: `${path}/stats`,
      summary: 'How many alerts there are; by severity and kind those that are not resolved',
      response: statsSchema,
      handler: () => store.stats(),
    }),
    defineRoute({
      ...read,
      name: 'admin:alerts.read',
      method: 'GET',
      path: `${path}/:id`,
      summary: 'One alert',
      params: idParams,
      response: alertSchema,
      handler: async ({ params }) => present(await findAlert(store, params.id)),
    }),
    defineRoute({
      ...write,
      name: 'admin:alerts.acknowledge',
      method: 'POST',
      path: `${path}/:id/acknowledge`,
      summary: 'Say that somebody looks after an alert',
      description: 'It is counted up further while its cause lasts.',
      params: idParams,
      response: alertSchema,
      async handler({ params }) {
        await store.acknowledge(params.id)
        const alert = await findAlert(store, params.id)
        if (alert.status === 'resolved') throw isOver()
        return present(alert)
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:alerts.resolve',
      method: 'POST',
      path: `${path}/:id/resolve`,
      summary: 'Say that the cause of an alert is gone',
      description: 'Should it come back, a new alert is raised.',
      params: idParams,
      response: alertSchema,
      async handler({ params }) {
        await store.resolve(params.id)
        return present(await findAlert(store, params.id))
      },
    }),
  ]
}

async function findAlert(store: AlertStore, id: number): Promise<Alert> {
  const alert = await store.find(id)
  if (alert === undefined) throw AppError.notFound('alert')
  return alert
}

function isOver(): AppError {
  return new AppError('INVALID_TRANSITION', 'the alert is resolved; there is nothing left to look after')
}

function present({ firstSeenAt, lastSeenAt, ...alert }: Alert) {
  return { ...alert, first_seen_at: firstSeenAt, last_seen_at: lastSeenAt }
}
