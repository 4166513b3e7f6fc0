import { Type } from 'typebox'
import { accepted, defineRoute, idParams, ignored, type Route, strict } from '../../foundation/http/http.ts'
import type { Planner } from './planner.ts'
import { scheduleSchema } from './schedule-state.ts'

const read = { tag: 'Scheduled jobs', access: 'area', scope: 'admin:jobs:read' } as const
const write = { tag: 'Scheduled jobs', access: 'area', scope: 'admin:jobs:write' } as const

/** Specification, "Backups, jobs, alerts"; see docs/jobs.md. */
export function createScheduleRoutes(planner: Planner): Route[] {
  return [
    defineRoute({
      ...read,
      name: 'admin:scheduled-jobs.list',
      method: 'GET',
      path: '/admin/scheduled-jobs',
      summary: 'List scheduled jobs',
      response: Type.Array(scheduleSchema),
      handler: () => planner.list(),
    }),
    defineRoute({
      ...read,
      name: 'admin:scheduled-jobs.read',
      method: 'GET',
      path: '/admin/scheduled-jobs/:id',
      summary: 'One scheduled job',
      params: idParams,
      response: scheduleSchema,
      handler: ({ params }) => planner.find(params.id),
    }),
    defineRoute({
      ...write,
      name: 'admin:scheduled-jobs.update',
      method: 'PUT',
      path: '/admin/scheduled-jobs/:id',
      summary: 'Pause, resume or reschedule a scheduled job',
      params: idParams,
      body: Type.Object(
        {
          enabled: Type.Optional(Type.Boolean()),
          cronExpression: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          ...ignored('id', 'name', 'timezone', 'lastRunAt', 'lastStatus', 'nextRunAt'),
        },
        strict,
      ),
      response: scheduleSchema,
      furtherProblems: ({ params, body: { cronExpression } }) =>
        planner.problemsOf(params.id, { cronExpression }),
      handler: ({ params, body: { enabled, cronExpression } }) =>
        planner.change(params.id, { enabled, cronExpression }),
    }),
    defineRoute({
      ...write,
      name: 'admin:scheduled-jobs.run',
      method: 'POST',
      path: '/admin/scheduled-jobs/:id/run',
      summary: 'Run a scheduled job now',
      description:
        'While an earlier run is unfinished no other one is made: the answer has the job of that one.',
      params: idParams,
      response: Type.Object({ jobId: Type.Integer() }, strict),
      successStatus: 202,
      handler: async ({ params }) => accepted({ jobId: await planner.run(params.id) }),
    }),
  ]
}
