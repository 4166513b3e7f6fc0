import { type TSchema, Type } from 'typebox'
import {
  type AdminPrincipal,
  defineRoute,
  type Route,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'
import { lookedAt } from './find-waiting.ts'
import type { FilledSection, Inbox } from './inbox.ts'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const itemSchema = Type.Object(
  {
    type: Type.String(),
    id: Type.Integer(),
    title: orNull(Type.String()),
    at: orNull(timestampSchema),
    by: Type.Optional(Type.Object({ id: Type.Integer(), username: Type.String() }, strict)),
    role: Type.Optional(Type.String({ description: 'As what the caller is assigned' })),
    mentionId: Type.Optional(Type.Integer()),
    comment: Type.Optional(Type.String()),
    field: Type.Optional(Type.String({ description: 'The path of the field that the comment is about' })),
    state: Type.Optional(Type.String()),
    transitions: Type.Optional(Type.Array(Type.Object({ to: Type.String(), label: Type.String() }, strict))),
  },
  strict,
)

const sectionSchema = Type.Object(
  {
    section: Type.Enum(['assigned', 'mentioned', 'transitions', 'outdated']),
    total: Type.Integer(),
    hasMore: Type.Boolean({ description: 'There are more than were counted' }),
    items: Type.Array(itemSchema),
  },
  strict,
)

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
    response: Type.Array(sectionSchema),
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
