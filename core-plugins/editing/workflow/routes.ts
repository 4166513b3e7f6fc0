import { Type } from 'typebox'
import { type Auth, personSchema, shownActor } from '../../accounts/auth/auth.ts'
import {
  defineRoute,
  orNull,
  presenterOf,
  Reply,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
  timestampSchema,
} from '../../foundation/http/http.ts'
import type { TransitionRow } from './tables.ts'
import type { Standing, Transitions } from './transitions.ts'
import type { WorkflowStore } from './workflow-store.ts'

const params = Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) })

const stateSchema = Type.String({ minLength: 1, maxLength: 64 })

const way = { to: Type.String(), label: Type.String() }

const standingSchema = Type.Object(
  {
    state: Type.Object(
      {
        name: Type.String(),
        label: Type.String(),
        color: orNull(Type.String()),
        publishable: Type.Boolean(),
      },
      strict,
    ),
    transitions: Type.Array(Type.Object(way, strict)),
    refused: Type.Array(Type.Object({ ...way, roles: Type.Array(Type.String()) }, strict), {
      description: 'Those that only other roles may take; empty for everybody but admin users',
    }),
  },
  strict,
)

/** A transition that an entry has taken. */
export const takenTransitionSchema = Type.Object(
  {
    id: Type.Integer(),
    from: Type.String(),
    to: Type.String(),
    comment: orNull(Type.String()),
    actor: orNull(Type.Object({ kind: Type.String(), ...personSchema.properties }, strict)),
    created_at: timestampSchema,
  },
  strict,
)

const present = presenterOf(takenTransitionSchema)

const writer = { access: 'permission', scope: 'content:write' } as const

/** The state of entries is visible to callers who see drafts. */
export const readAccess = { ...writer, policies: ['content.drafts'] } as const

export const transitionAccess = { ...writer, policies: ['content.update'] } as const

/** The payload of a request to take a transition. */
const transition = {
  to: stateSchema,
  from: Type.Optional({
    ...stateSchema,
    description: 'Refused with 409 if the entry is in another state by now',
  }),
  comment: Type.Optional(orNull(textSchema({ maxLength: 10_000 }))),
}

export const transitionSchema = Type.Object(transition)

const base = { tag: 'Workflow', params } as const

const readable = { ...base, ...readAccess } as const

/** See docs/editorial.md. */
export function workflowRoutes(transitions: Transitions, store: WorkflowStore, auth: Auth): Route[] {
  return [
    defineRoute({
      ...readable,
      name: 'content:workflow.read',
      tool: {
        name: 'get_workflow',
        description: 'Tells in which state of its workflow an entry is, and where it may go.',
      },
      method: 'GET',
      path: '/content/:type/:id/workflow',
      summary: 'The state of an entry, and the transitions open to the caller',
      response: standingSchema,
      handler: async ({ params: { type, id }, principal }) =>
        standingReply(await transitions.find(type, id, principal)),
    }),
    defineRoute({
      ...base,
      ...transitionAccess,
      name: 'content:workflow.transition',
      tool: {
        name: 'move_in_workflow',
        description: 'Moves an entry to another state of its workflow.',
      },
      method: 'PUT',
      path: '/content/:type/:id/workflow/transition',
      summary: 'Move an entry to another state',
      body: Type.Object(transition, strict),
      response: standingSchema,
      async handler({ params: { type, id }, body, principal, ip }) {
        const { to, from, comment } = body
        const request = { type, id, to, from, comment: comment ?? undefined, principal, ip }
        return standingReply(await transitions.take(request))
      },
    }),
    defineRoute({
      ...readable,
      name: 'content:workflow.history',
      method: 'GET',
      path: '/content/:type/:id/workflow/history',
      summary: 'The transitions of an entry, oldest first',
      query: Type.Object(rangeQuery, strict),
      response: Type.Array(takenTransitionSchema),
      isPaginated: true,
      async handler({ params: { type, id }, query, principal }) {
        await transitions.assertEntry(type, id, principal)
        const range = rangeOf(query)
        const { rows, total } = await store.history(type, id, range)
        return rangePage(
          rows.map((row) => presentRow(row, auth.knowsAdminNames(principal))),
          total,
          range,
        )
      },
    }),
  ]
}

/** The ETag is the entry's, so that the client can use it for the next write. */
function standingReply(standing: Standing): Reply {
  return new Reply(200, { kind: 'data', data: presentStanding(standing), version: standing.version })
}

export function presentStanding({ state, transitions, refused }: Standing) {
  const { name, label, color, publishable } = state
  return {
    state: { name, label, color, publishable },
    transitions: transitions.map(({ to, label }) => ({ to, label })),
    refused: refused.map(({ to, label, roles = [] }) => ({ to, label, roles: [...roles] })),
  }
}

/** `knowsNames`: whether the caller may know the names of admin users. */
export function presentRow(row: TransitionRow, knowsNames: boolean) {
  const { actorKind: kind, actorId: id, actorName } = row
  const actor = kind === null || id === null ? null : { kind, id, username: actorName ?? '' }
  return present({ ...row, actor: actor && shownActor(actor, knowsNames) })
}
