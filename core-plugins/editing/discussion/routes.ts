import { Type } from 'typebox'
import { type Auth, shownActor } from '../../accounts/auth/auth.ts'
import {
  created,
  defineRoute,
  idSchema,
  orNull,
  type Principal,
  presenterOf,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
} from '../../foundation/http/http.ts'
import { type Assignment, assignmentSchema, type Comment, commentSchema } from './comment.ts'
import type { Discussions, EntryCall } from './discussions.ts'
import type { Actor, Person } from './person.ts'

const id = idSchema
const entryParams = Type.Object({ type: Type.String(), id })
const commentParams = Type.Object({ type: Type.String(), id, commentId: id })
const body = textSchema({ minLength: 1, maxLength: 10_000 })
const mentions = Type.Array(id, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Ids of admin users, in whose inbox it is until it is resolved',
})

/** Comments may be about drafts, so they are for callers who see drafts. */
const base = {
  access: 'permission',
  scope: 'content:write',
  policies: ['content.drafts'],
} as const

/** See docs/editorial.md. */
export function discussionRoutes(discussions: Discussions, auth: Auth): Route[] {
  return [
    ...commentRoutes(discussions, auth),
    ...commentChangeRoutes(discussions, auth),
    ...assignmentRoutes(discussions, auth),
  ]
}

function commentRoutes(discussions: Discussions, auth: Auth): Route[] {
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
        return rangePage(
          found.comments.map((comment) => presentComment(comment, namesFor(request, auth))),
          found.total,
          range,
        )
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
        return created(
          presentComment(await discussions.comment(callOf(request), comment), namesFor(request, auth)),
        )
      },
    }),
  ]
}

function commentChangeRoutes(discussions: Discussions, auth: Auth): Route[] {
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
        const edited = await discussions.edit(callOf(request), request.params.commentId, edit)
        return presentComment(edited, namesFor(request, auth))
      },
    }),
    defineRoute({
      ...comment,
      name: 'content:comments.delete',
      method: 'DELETE',
      summary: 'Delete a comment',
      description: 'For its author, and administrators. Its replies become replies to its parent.',
      async handler(request) {
        const removed = await discussions.removeComment(callOf(request), request.params.commentId)
        return presentComment(removed, namesFor(request, auth))
      },
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
        const settled = await settle(callOf(request), request.params.commentId)
        return presentComment(settled, namesFor(request, auth))
      },
    }),
  ]
}

function assignmentRoutes(discussions: Discussions, auth: Auth): Route[] {
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
        return rangePage(
          found.assignments.map((each) => presentAssignment(each, namesFor(request, auth))),
          found.total,
          range,
        )
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
      async handler(request) {
        const assigned = await discussions.assign(callOf(request), request.body)
        return created(presentAssignment(assigned, namesFor(request, auth)))
      },
    }),
    defineRoute({
      ...changing,
      name: 'content:assignments.delete',
      method: 'DELETE',
      path: `${assignments.path}/:assignmentId`,
      summary: 'Remove an assignment',
      params: Type.Object({ type: Type.String(), id, assignmentId: id }),
      response: assignmentSchema,
      async handler(request) {
        const removed = await discussions.unassign(callOf(request), request.params.assignmentId)
        return presentAssignment(removed, namesFor(request, auth))
      },
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

/** Shows an actor with the name that the caller may see. */
type Names = (actor: Actor) => Person

function namesFor({ principal }: { readonly principal: Principal }, auth: Auth): Names {
  const knowsNames = auth.knowsAdminNames(principal)
  return (actor) => {
    const { id, username } = shownActor(actor, knowsNames)
    return { id, username }
  }
}

const present = { comment: presenterOf(commentSchema), assignment: presenterOf(assignmentSchema) }

function presentComment(comment: Comment, named: Names) {
  const { author, mentions: mentioned, resolvedAt, resolvedBy } = comment
  return present.comment({
    ...comment,
    author: named(author),
    mentions: mentioned.map((person) => named({ kind: 'admin', ...person })),
    resolved: resolvedAt !== null,
    resolvedBy: resolvedBy && named(resolvedBy),
  })
}

function presentAssignment(assignment: Assignment, named: Names) {
  const { userId, username, assignedBy } = assignment
  const assignee = named({ kind: 'admin', id: userId, username })
  return present.assignment({
    ...assignment,
    username: assignee.username,
    assignedBy: named(assignedBy),
  })
}
