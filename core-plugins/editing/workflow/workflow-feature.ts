import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { GraphqlFeature, GraphqlFeatureField } from '../../delivery/graphql/graphql.ts'
import { type Range, rangeOf, rangeQuery } from '../../foundation/http/http.ts'
import { presentRow, presentStanding, readAccess, transitionAccess, transitionSchema } from './routes.ts'
import type { Transitions } from './transitions.ts'
import type { Workflow } from './workflow.ts'
import type { WorkflowStore } from './workflow-store.ts'

const types = `
  type WorkflowStanding {
    state: WorkflowState!
    "Those that the caller may take." transitions: [WorkflowTransition!]!
    "Those that only other roles may take; empty for everybody but admin users." refused: [RefusedTransition!]!
  }
  type WorkflowState { name: String! label: String! color: String publishable: Boolean! }
  type WorkflowTransition { to: String! label: String! }
  type RefusedTransition { to: String! label: String! roles: [String!]! }
  type WorkflowHistory { data: [WorkflowStep!]! pagination: Pagination! }
  type WorkflowStep { id: Int! from: String! to: String! comment: String actor: WorkflowActor created_at: DateTime! }
  type WorkflowActor { kind: String! id: Int! username: String! }`

export interface WorkflowFeatureDeps {
  readonly auth: Auth
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly transitions: Transitions
  readonly store: WorkflowStore
}

/** Workflows over GraphQL, for types that have one. */
export function workflowFeature({
  auth,
  workflows,
  transitions,
  store,
}: WorkflowFeatureDeps): GraphqlFeature {
  const standing = (type: string): GraphqlFeatureField => ({
    type: 'WorkflowStanding',
    description: 'The state of an entry, and the transitions open to the caller',
    arguments: 'id: ID!',
    ...readAccess,
    resolve: async ({ id }, { principal }) =>
      presentStanding(await transitions.find(type, Number(id), principal)),
  })
  const history = (type: string): GraphqlFeatureField => ({
    type: 'WorkflowHistory',
    description: 'The transitions of an entry, oldest first',
    arguments: 'id: ID!, limit: Int, offset: Int',
    ...readAccess,
    takes: Type.Object(rangeQuery),
    async resolve({ id, ...page }, { principal }) {
      await transitions.assertEntry(type, Number(id), principal)
      const range: Range = rangeOf(page)
      const { rows, total } = await store.history(type, Number(id), range)
      const pagination = { total, ...range, hasMore: range.offset + rows.length < total }
      return { data: rows.map((row) => presentRow(row, auth.knowsAdminNames(principal))), pagination }
    },
  })
  const transition = (type: string): GraphqlFeatureField => ({
    type: 'WorkflowStanding',
    description: 'Moves an entry to another state',
    arguments: 'id: ID!, to: String!, from: String, comment: String',
    ...transitionAccess,
    takes: transitionSchema,
    async resolve({ id, to, from, comment }, { principal, ip = '' }) {
      const asked = {
        to: String(to),
        from: from as string | undefined,
        comment: comment as string | undefined,
      }
      return presentStanding(await transitions.take({ type, id: Number(id), ...asked, principal, ip }))
    },
  })
  return {
    types,
    ofType({ name }, { object, findField }) {
      if (!workflows.has(name)) return {}
      return {
        queries: { [`${findField}Workflow`]: standing(name), [`${findField}WorkflowHistory`]: history(name) },
        mutations: { [`transition${object}`]: transition(name) },
      }
    },
  }
}
