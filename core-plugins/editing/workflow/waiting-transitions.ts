import { sql } from 'drizzle-orm'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import { type InboxSource, newest } from '../inbox/inbox.ts'
import { statesTable } from './tables.ts'
import { mayTake } from './transitions.ts'
import type { Workflow, WorkflowTransition } from './workflow.ts'

/**
 * Entries that wait for a user to move them on: in a state between the initial one, in which authors are still at work, and the
 * publishable ones.
 */
export function waitingTransitions(
  workflows: ReadonlyMap<string, Workflow>,
  database: Database,
  auth: Auth,
): InboxSource {
  const { updatedAt } = statesTable.columns
  const inState = statesTable.on(database).list(['type', 'state'], { orderBy: sql`${updatedAt} desc` })

  async function waitingIn({ type, state, transitions }: OpenState, limit: number) {
    const rows = await inState.all({ type, state, limit, offset: 0 })
    const ways = transitions.map(({ to, label }) => ({ to, label }))
    return rows.map(({ entryId: id, updatedAt: at }) => ({ type, id, at, state, transitions: ways }))
  }

  return {
    section: 'transitions',
    async find(principal, limit, types) {
      const open = openStates(workflows, principal, auth).filter(({ type }) => types.includes(type))
      return newest(await Promise.all(open.map((each) => waitingIn(each, limit))), limit)
    },
  }
}

/** A state of a type, with the transitions out of it that the user may take. */
interface OpenState {
  readonly type: string
  readonly state: string
  readonly transitions: readonly WorkflowTransition[]
}

function openStates(
  workflows: ReadonlyMap<string, Workflow>,
  principal: AdminPrincipal,
  auth: Auth,
): readonly OpenState[] {
  return [...workflows]
    .filter(([type]) => auth.mayContent(principal, type, 'update'))
    .flatMap(([type, { states, initialState, transitions }]) =>
      [...states.values()]
        .filter(({ name, publishable }) => name !== initialState.name && publishable !== true)
        .map(({ name: state }) => ({
          type,
          state,
          transitions: transitions.filter((each) => each.from === state && mayTake(auth, each, principal)),
        })),
    )
    .filter(({ transitions }) => transitions.length > 0)
}
