import { Type } from 'typebox'
import type { Audit } from '../../background/audit/audit.ts'
import { type AdminPrincipal, defineRoute, type Route, strict } from '../../foundation/http/http.ts'
import { findRecent, type RecentParts, recentEntrySchema } from './recent.ts'
import { type Scheduled, type ScheduledRequest, scheduledSchema } from './scheduled.ts'

export interface OverviewParts extends Omit<RecentParts, 'audit'> {
  /** Undefined if the audit plugin is off; then recent writes are unknown. */
  readonly audit: Audit | undefined
  findScheduled(request: ScheduledRequest): Promise<Scheduled>
}

const limit = Type.Integer({ minimum: 1, maximum: 50, default: 10 })

const shared = { method: 'GET', tag: 'Panel', access: 'admin-user' } as const

/** See docs/admin-api.md. */
export function overviewRoutes({ audit, findScheduled, ...parts }: OverviewParts): Route[] {
  const scheduled = scheduledRoute(findScheduled)
  return audit === undefined ? [scheduled] : [recentRoute({ ...parts, audit }), scheduled]
}

// The access rule of both routes admits only admin users.

const recentRoute = (parts: RecentParts) =>
  defineRoute({
    ...shared,
    name: 'admin:recent.list',
    path: '/admin/recent',
    summary: 'Entries that the caller, or others, have written last',
    query: Type.Object({ by: Type.Enum(['me', 'others'], { default: 'me' }), limit }, strict),
    response: Type.Array(recentEntrySchema),
    handler: ({ query, principal }) =>
      findRecent(parts, { ...query, principal: principal as AdminPrincipal }),
  })

const scheduledRoute = (findScheduled: OverviewParts['findScheduled']) =>
  defineRoute({
    ...shared,
    name: 'admin:scheduled.list',
    path: '/admin/scheduled',
    summary: 'Entries and releases that become public next',
    description: 'Entries of types that the caller may read; releases if the caller may read those.',
    query: Type.Object({ limit }, strict),
    response: scheduledSchema,
    handler: ({ query, principal }) => findScheduled({ ...query, principal: principal as AdminPrincipal }),
  })
