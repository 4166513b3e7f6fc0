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
import { jobSchema, jobStatsSchema, jobStatuses } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { Jobs } from './jobs.ts'

const read = { tag: 'Jobs', access: 'area', scope: 'admin:jobs:read' } as const
const write = { tag: 'Jobs', access: 'area', scope: 'admin:jobs:write' } as const

const listQuery = Type.Object(
  {
    ...rangeQuery,
    status: Type.Optional(Type.Enum([...jobStatuses])),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The kind: webhooks.deliver' }),
    ),
  },
  strict,
)

const present = presenterOf(jobSchema)

/** Specification, "Backups, jobs, alerts"; see docs/jobs.md. */
export function createJobRoutes(store: JobStore, jobs: Jobs): Route[] {
  return [
    defineRoute({
      ...read,
      name: 'admin:jobs.list',
      method: 'GET',
      path: '/admin/jobs',
      summary: 'List jobs, newest first',
      query: listQuery,
      response: Type.Array(jobSchema),
      isPaginated: true,
      async handler({ query: { status, name, ...rest } }) {
        const range = rangeOf(rest)
        const { jobs: found, total } = await store.list({ status, name }, range)
        return rangePage(found.map(present), total, range)
      },
    }),
    defineRoute({
      ...read,
      name: 'admin:jobs.stats',
      method: 'GET',
      path: '/admin/jobs/stats',
      summary: 'Count jobs by status and by kind',
      response: jobStatsSchema,
      handler: () => jobs.stats(),
    }),
    defineRoute({
      ...read,
      name: 'admin:jobs.read',
      method: 'GET',
      path: '/admin/jobs/:id',
      summary: 'One job',
      params: idParams,
      response: jobSchema,
      async handler({ params }) {
        const job = await store.find(params.id)
        if (job === undefined) throw AppError.notFound('job')
        return present(job)
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:jobs.retry',
      method: 'POST',
      path: '/admin/jobs/:id/retry',
      summary: 'Run a failed or cancelled job again',
      params: idParams,
      response: jobSchema,
      handler: async ({ params }) => present(await jobs.retry(params.id)),
    }),
    defineRoute({
      ...write,
      name: 'admin:jobs.cancel',
      method: 'POST',
      path: '/admin/jobs/:id/cancel',
      summary: 'Cancel a job',
      description: 'One that waits is cancelled at once; one that runs is asked to stop.',
      params: idParams,
      response: jobSchema,
      handler: async ({ params }) => present(await jobs.cancel(params.id)),
    }),
  ]
}
