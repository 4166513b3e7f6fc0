import { type TSchema, Type } from 'typebox'
import type { DiscussionInbox } from '../discussion/discussion.ts'
import {
  type AdminPrincipal,
  AppError,
  defineRoute,
  idParams,
  type Route,
  strict,
  timestampSchema,
} from '../http/http.ts'
import { lookedAt } from './find-waiting.ts'
import type { FilledSection, Inbox } from './inbox.ts'

export interface InboxRouteParts {
  readonly inbox: Inbox
  /** Undefined if there are no comments. */
  readonly discussion: DiscussionInbox | undefined
}

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
export function inboxRoutes({ inbox, discussion }: InboxRouteParts): Route[] {
  const always = [listRoute(inbox), countRoute(inbox)]
  return discussion === undefined ? always : [...always, dismissRoute(discussion)]
}

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

const dismissRoute = (discussion: DiscussionInbox) =>
  defineRoute({
    ...shared,
    name: 'admin:inbox.dismiss',
    method: 'DELETE',
    path: '/admin/inbox/mentions/:id',
    summary: 'Take a mention out of the inbox of the caller',
    description: 'The comment stays as it is.',
    audit: false,
    params: idParams,
    response: Type.Null(),
    async handler({ principal, params: { id } }) {
      const isDismissed = await discussion.dismiss((principal as AdminPrincipal).id, id)
      if (!isDismissed) throw AppError.notFound(`mention ${id}`)
      return null
    },
  })
