import { sql } from 'drizzle-orm'
import type { Database, InList, Queries, Transaction, Value } from '../database/database.ts'
import type { Principal, Range } from '../http/http.ts'
import { statesTable, type TransitionRow, transitionsTable } from './tables.ts'

/** A transition of an entry from one state to another. */
export interface Move {
  readonly type: string
  readonly entryId: number
  readonly from: string
  readonly to: string
  readonly now: string
}

export interface WorkflowStore {
  /**
   * The stored states of entries, by id; with one query. Entries that never left the initial state have none.
   */
  states(type: string, entryIds: readonly number[], queries?: Queries): Promise<Map<number, string>>
  /** The same, locked until the end of the transaction. */
  lockStates(type: string, entryIds: readonly number[], tx: Transaction): Promise<Map<number, string>>
  /** False if the stored state has changed (undefined: none); of several concurrent moves one succeeds. */
  move(move: Move, stored: string | undefined, tx: Transaction): Promise<boolean>
  record(move: Move, by: { comment: string | null; principal: Principal }, tx: Transaction): Promise<void>
  /** Oldest first. */
  history(type: string, entryId: number, range: Range): Promise<{ rows: TransitionRow[]; total: number }>
  /** Deletes the states of entries. */
  remove(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
}

export function createWorkflowStore(database: Database): WorkflowStore {
  const queries = workflowQueries(database)
  const byId = (rows: readonly { entryId: number; state: string }[]) =>
    new Map(rows.map(({ entryId, state }) => [entryId, state]))

  return {
    states: async (type, entryIds, on) => byId(await queries.states.all({ type, entryIds }, on)),
    lockStates: async (type, entryIds, tx) => byId(await queries.lockStates.all({ type, entryIds }, tx)),
    async move(move, stored, tx) {
      if (stored === undefined)
        await queries.enter.run({ ...move, state: move.from, updatedAt: move.now }, tx)
      const { changes } = await queries.change.run({ ...move, stored: stored ?? move.from }, tx)
      return changes > 0
    },
    async record({ now, ...move }, { comment, principal }, tx) {
      await queries.insert.run({ ...move, comment, ...actorOf(principal), createdAt: now }, tx)
    },
    async history(type, entryId, range) {
      return queries.history({ type, entryId, ...range })
    },
    async remove(type, entryIds, tx) {
      await queries.removeStates.run({ type, entryIds }, tx)
      await queries.removeTransitions.run({ type, entryIds }, tx)
    },
  }
}

function actorOf(principal: Principal) {
  if (principal.kind === 'anonymous') return { actorKind: null, actorId: null, actorName: null }
  const name = principal.kind === 'token' ? principal.name : principal.username
  return { actorKind: principal.kind, actorId: principal.id, actorName: name.slice(0, 255) }
}

function workflowQueries(database: Database) {
  const states = statesTable.on(database)
  const transitions = transitionsTable.on(database)
  const { type, entryId, state, updatedAt } = statesTable.columns
  const areNamed = (value: Value, inList: InList) =>
    sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`
  return {
    states: states.find(areNamed, { pick: ['entryId', 'state'] }),
    lockStates: states.find(areNamed, { pick: ['entryId', 'state'], lock: 'byPrimaryKey' }),
    enter: states.insert({ ignoreDuplicates: true }),
    change: states.update(
      (value) => sql`${state} = ${value(state, 'to')}, ${updatedAt} = ${value(updatedAt, 'now')}`,
      (value) => sql`${type} = ${value(type)} and ${entryId} = ${value(entryId)}
        and ${state} = ${value(state, 'stored')}`,
    ),
    insert: transitions.insert(),
    history: transitions.page(['type', 'entryId'], { orderBy: sql`${transitionsTable.columns.id}` }),
    removeStates: states.delete(areNamed),
    removeTransitions: transitions.delete(areNamed),
  }
}
