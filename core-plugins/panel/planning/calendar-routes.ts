import { Type } from 'typebox'
import {
  type AdminPrincipal,
  AppError,
  defineRoute,
  momentSchema,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import { type Calendar, type CalendarRequest, calendarSchema } from './calendar.ts'
import { type FutureChanges, type FutureRequest, futureChangesSchema } from './future-changes.ts'

export interface CalendarRoutesDeps {
  findCalendar(request: CalendarRequest): Promise<Calendar>
  findChanges(request: FutureRequest): Promise<FutureChanges>
}

const shared = { method: 'GET', tag: 'Panel', access: 'admin-user' } as const

/** See docs/admin-api.md. */
export function calendarRoutes(deps: CalendarRoutesDeps): Route[] {
  return [calendarRoute(deps), changesRoute(deps)]
}

// The access rule of both routes admits only admin users.

const calendarRoute = ({ findCalendar }: CalendarRoutesDeps) =>
  defineRoute({
    ...shared,
    name: 'admin:calendar.read',
    path: '/admin/calendar',
    summary: 'What is published and unpublished in a span of time',
    description:
      'At most 100 days, 500 times of entries to come, 500 entries that are public since then, and 100 releases.',
    query: Type.Object({ from: momentSchema, to: momentSchema }, strict),
    response: calendarSchema,
    handler({ query, principal }) {
      const span = { from: momentOf(query.from), to: momentOf(query.to) }
      assertSpan(span)
      return findCalendar({ ...span, principal: principal as AdminPrincipal })
    },
  })

const changesRoute = ({ findChanges }: CalendarRoutesDeps) =>
  defineRoute({
    ...shared,
    name: 'admin:calendar.changes',
    path: '/admin/calendar/changes',
    summary: 'What readers will find otherwise at a moment to come',
    query: Type.Object({ until: momentSchema }, strict),
    response: futureChangesSchema,
    handler: ({ query, principal }) =>
      findChanges({ until: momentOf(query.until), principal: principal as AdminPrincipal }),
  })

const longestMs = 100 * 24 * 60 * 60_000

/** @throws AppError 400 */
function assertSpan({ from, to }: { readonly from: string; readonly to: string }): void {
  const lengthMs = Date.parse(to) - Date.parse(from)
  if (lengthMs > 0 && lengthMs <= longestMs) return
  const message = 'must be later than `from`, by 100 days at most'
  throw AppError.invalid([{ path: 'to', code: 'range', message }])
}

const momentOf = (text: string) => new Date(text).toISOString()
