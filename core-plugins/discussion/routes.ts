import { type TSchema, Type } from 'typebox'
import {
  created,
  defineRoute,
  idSchema,
  type Principal,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
  timestampSchema,
} from '../http/http.ts'
import type { Assignment, Comment } from './discussion.ts'
import type { Discussions, EntryCall } from './discussions.ts'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const id = idSchema
const entryParams = Type.Object({ type: Type.String(), id })
const commentParams = Type.Object({ type: Type.String(), id, commentId: id })
const body = textSchema({ minLength: 1, maxLength: 10_000 })
const mentions = Type.Array(id, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Ids of admin users, in whose inbox it is until it is resolved',
})

const personSchema = Type.Object({ id: Type.Integer(), username: Type.String() }, strict)
const commentSchema = Type.Object(
  {
    id: Type.Integer(),
    body: Type.String(),
    author: personSchema,
    parent: orNull(Type.Integer()),
    field: orNull(Type.String({ description: 'The path of the field that it is about' })),
    mentions: Type.Array(personSchema),
    resolved: Type.Boolean(),
    resolved_at: orNull(timestampSchema),
    resolved_by: orNull(personSchema),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)
const assignmentSchema = Type.Object(
  {
    id: Type.Integer(),
    userId: Type.Integer(),
    username: Type.String(),
    role: Type.String(),
    assigned_by: personSchema,
    created_at: timestampSchema,
  },
  strict,
)

/** Comments may be about drafts, so they are for callers who see drafts. */
const base = {
  access: 'permission',
  scope: 'content:write',
  policies: ['content.drafts'],
} as const

/** See docs/editorial.md. */
export function discussionRoutes(discussions: Discussions): Route[] {
  return [
    ...commentRoutes(discussions),
    ...commentChangeRoutes(discussions),
    ...assignmentRoutes(discussions),
  ]
}

function commentRoutes(discussions: Discussions): Route[] {
  const comments = { ...base, tag: 'Comments', path: '/content/:type/:id/comments' } as const
  return [
    defineRoute({
      ...comments,
      name: 'content:comments.list',
      method: 'GET',
      summary: 'List the comments on an entry, oldest first',
      params: entryParams,
      query: Type.Object(rangeQuery, strict),
      response: Type.Array(commentSchema),
      isPaginated: true,
      async handler(request) {
        const range = rangeOf(request.query)
        const found = await discussions.comments(callOf(request), range)
        return rangePage(found.comments.map(presentComment), found.total, range)
      },
    }),
    defineRoute({
      ...comments,
      name: 'content:comments.create',
      method: 'POST',
      summary: 'Comment on an entry, or reply to a comment',
      params: entryParams,
      body: Type.Object(
        {
          body,
          parent: Type.Optional(orNull(id)),
          field: Type.Optional(orNull(textSchema({ minLength: 1, maxLength: 255 }))),
          mentions: Type.Optional(mentions),
        },
        strict,
      ),
      response: commentSchema,
      successStatus: 201,
      async handler(request) {
        const { parent = null, field = null, mentions: mentioned = [] } = request.body
        const comment = { body: request.body.body, parent, field, mentions: mentioned }
        return created(presentComment(await discussions.comment(callOf(request), comment)))
      },
    }),
  ]
}

function commentChangeRoutes(discussions: Discussions): Route[] {
  const comment = {
    ...{ ...base, tag: 'Comments', path: '/content/:type/:id/comments/:commentId' },
    params: commentParams,
    response: commentSchema,
  } as const
  return [
    defineRoute({
      ...comment,
      name: 'content:comments.update',
      method: 'PUT',
      summary: 'Change the text of a comment',
      description: 'For its author, and administrators.',
      body: Type.Object({ body, mentions: Type.Optional(mentions) }, strict),
      async handler(request) {
        const { body: text, mentions: mentioned } = request.body
        const edit = { body: text, mentions: mentioned }
        return presentComment(await discussions.edit(callOf(request), request.params.commentId, edit))
      },
    }),
    defineRoute({
      ...comment,
      name: 'content:comments.delete',
      method: 'DELETE',
      summary: 'Delete a comment',
      description: 'For its author, and administrators. Its replies become replies to its parent.',
      handler: async (request) =>
        presentComment(await discussions.removeComment(callOf(request), request.params.commentId)),
    }),
    defineRoute({
      ...comment,
      name: 'content:comments.resolve',
      method: 'PUT',
      path: `${comment.path}/resolve`,
      summary: 'Resolve a comment, or reopen it',
      body: Type.Object({ resolved: Type.Optional(Type.Boolean()) }, strict),
      isBodyOptional: true,
      async handler(request) {
        const isResolved = request.body?.resolved ?? true
        const settle = isResolved ? discussions.resolve : discussions.reopen
        return presentComment(await settle(callOf(request), request.params.commentId))
      },
    }),
  ]
}

function assignmentRoutes(discussions: Discussions): Route[] {
  const assignments = { ...base, tag: 'Assignments', path: '/content/:type/:id/assignments' } as const
  const changing = { ...assignments, policies: ['content.drafts', 'content.update'] } as const
  return [
    defineRoute({
      ...assignments,
      name: 'content:assignments.list',
      method: 'GET',
      summary: 'List who is assigned to an entry',
      params: entryParams,
      query: Type.Object(rangeQuery, strict),
      response: Type.Array(assignmentSchema),
      isPaginated: true,
      async handler(request) {
        const range = rangeOf(request.query)
        const found = await discussions.assignments(callOf(request), range)
        return rangePage(found.assignments.map(presentAssignment), found.total, range)
      },
    }),
    defineRoute({
      ...changing,
      name: 'content:assignments.create',
      method: 'POST',
      summary: 'Assign an admin user to an entry',
      params: entryParams,
      body: Type.Object({ userId: id, role: textSchema({ minLength: 1, maxLength: 64 }) }, strict),
      response: assignmentSchema,
      successStatus: 201,
      handler: async (request) =>
        created(presentAssignment(await discussions.assign(callOf(request), request.body))),
    }),
    defineRoute({
      ...changing,
      name: 'content:assignments.delete',
      method: 'DELETE',
      path: `${assignments.path}/:assignmentId`,
      summary: 'Remove an assignment',
      params: Type.Object({ type: Type.String(), id, assignmentId: id }),
      response: assignmentSchema,
      handler: async (request) =>
        presentAssignment(await discussions.unassign(callOf(request), request.params.assignmentId)),
    }),
  ]
}

function callOf({
  params: { type, id },
  principal,
  ip,
}: {
  readonly params: { readonly type: string; readonly id: number }
  readonly principal: Principal
  readonly ip: string
}): EntryCall {
  return { entry: { type, id }, principal, ip }
}

function presentComment(comment: Comment) {
  const { id, body, author, parent, field, mentions: mentioned } = comment
  const { resolvedAt, resolvedBy, createdAt, updatedAt } = comment
  const resolution = { resolved: resolvedAt !== null, resolved_at: resolvedAt, resolved_by: resolvedBy }
  const about = { id, body, author, parent, field, mentions: mentioned }
  return { ...about, ...resolution, created_at: createdAt, updated_at: updatedAt }
}

function presentAssignment({ id, userId, username, role, assignedBy, createdAt }: Assignment) {
  return { id, userId, username, role, assigned_by: assignedBy, created_at: createdAt }
}
