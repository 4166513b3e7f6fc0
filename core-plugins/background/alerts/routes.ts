import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  idParams,
  presenterOf,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../foundation/http/http.ts'
import { type Alert, alertSchema, alertStatsSchema, severitySchema, statusSchema } from './alert.ts'
import type { AlertStore } from './alert-store.ts'

const tag = 'Alerts'
const path = '/admin/operational-alerts'
const read = { tag, access: 'area', scope: 'admin:alerts:read' } as const
const write = { tag, access: 'area', scope: 'admin:alerts:write' } as const

const listQuery = Type.Object(
  {
    status: Type.Optional(statusSchema),
    severity: Type.Optional(severitySchema),
    kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    ...rangeQuery,
  },
  strict,
)

const present = presenterOf(alertSchema)

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
      response: alertStatsSchema,
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
