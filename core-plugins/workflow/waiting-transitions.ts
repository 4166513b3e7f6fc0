import { sql } from 'drizzle-orm'
import type { Auth } from '../auth/auth.ts'
import type { Database } from '../database/database.ts'
import type { AdminPrincipal } from '../http/http.ts'
import type { InboxSource } from '../inbox/inbox.ts'
import { statesTable } from './tables.ts'
import { mayTake } from './transitions.ts'
import type { Workflow, WorkflowTransition } from './workflow.ts'

/**
 * Entries that wait for somebody to take them on: in a state between the initial one, in which their authors are
 * at work, and those that may be published.
 */
export function waitingTransitions(
  workflows: ReadonlyMap<string, Workflow>,
  database: Database,
  auth: Auth,
): InboxSource {
  const { type, state, updatedAt } = statesTable.columns
  const inStates = statesTable
    .on(database)
    .list((_, inList) => sql`${inList(type, 'types')} and ${inList(state, 'states')}`, {
      orderBy: sql`${updatedAt} desc`,
    })

  return {
    section: 'transitions',
    async find(principal, limit) {
      const open = openTransitions(workflows, principal, auth)
      if (open.size === 0) return []
      const types = [...open.keys()]
      const states = [...new Set([...open.values()].flatMap((byState) => [...byState.keys()]))]
      const rows = await inStates.all({ types, states, limit, offset: 0 })
      return rows.flatMap((row) => {
        const transitions = open.get(row.type)?.get(row.state)
        if (transitions === undefined) return []
        const ways = transitions.map(({ to, label }) => ({ to, label }))
        return [{ type: row.type, id: row.entryId, at: row.updatedAt, state: row.state, transitions: ways }]
      })
    },
  }
}

/** By type and state. */
function openTransitions(
  workflows: ReadonlyMap<string, Workflow>,
  principal: AdminPrincipal,
  auth: Auth,
): ReadonlyMap<string, ReadonlyMap<string, readonly WorkflowTransition[]>> {
  const open = new Map<string, Map<string, WorkflowTransition[]>>()
  for (const [type, { states, initialState, transitions }] of workflows) {
    if (!auth.mayContent(principal, type, 'update')) continue
    const byState = new Map<string, WorkflowTransition[]>()
    for (const transition of transitions) {
      const { from } = transition
      const isWaiting = from !== initialState.name && states.get(from)?.publishable !== true
      if (isWaiting && mayTake(auth, transition, principal)) {
        byState.set(from, [...(byState.get(from) ?? []), transition])
      }
    }
    if (byState.size > 0) open.set(type, byState)
  }
  return open
}
