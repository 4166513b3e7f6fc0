import { Type } from 'typebox'
import { type AdminPrincipal, defineRoute, type Route, strict } from '../../foundation/http/http.ts'
import { lookedAt } from './find-waiting.ts'
import type { FilledSection, Inbox } from './inbox.ts'
import { inboxSectionSchema } from './waiting-entry.ts'

const shared = { tag: 'Panel', access: 'admin-user' } as const

/** See docs/admin-api.md. */
export const inboxRoutes = (inbox: Inbox): Route[] => [listRoute(inbox), countRoute(inbox)]

const listRoute = (inbox: Inbox) =>
  defineRoute({
    ...shared,
    name: 'admin:inbox.list',
    method: 'GET',
    path: '/admin/inbox',
    summary: 'What waits for the caller',
    description:
      'Entries that the caller is assigned to, comments that mention the caller, transitions that the caller may take, ' +
      'and translations that are outdated; by the rights of the caller.',
    query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: lookedAt, default: 20 }) }, strict),
    response: Type.Array(inboxSectionSchema),
    async handler({ principal, query: { limit } }) {
      const sections = await inbox.find(principal as AdminPrincipal)
      return sections.map(({ section, hasMore, items }) => ({
        ...{ section, hasMore, total: items.length },
        items: items.slice(0, limit),
      }))
    },
  })

const countRoute = (inbox: Inbox) =>
  defineRoute({
    ...shared,
    name: 'admin:inbox.count',
    method: 'GET',
    path: '/admin/inbox/count',
    summary: 'How much waits for the caller',
    response: Type.Object({ total: Type.Integer(), hasMore: Type.Boolean() }, strict),
    handler: async ({ principal }) => countOf(await inbox.find(principal as AdminPrincipal)),
  })

function countOf(sections: readonly FilledSection[]) {
  return {
    total: sections.reduce((sum, { items }) => sum + items.length, 0),
    hasMore: sections.some(({ hasMore }) => hasMore),
  }
}
