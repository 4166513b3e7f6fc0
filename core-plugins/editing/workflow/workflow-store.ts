import { sql } from 'drizzle-orm'
import {
  type Database,
  type InList,
  isUniqueViolation,
  type Queries,
  type Transaction,
  type Value,
} from '../../foundation/database/database.ts'
import { AppError, type Principal, type Range } from '../../foundation/http/http.ts'
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
  /**
   * Changes the state; returns false if the stored state is no longer `stored` (undefined: none). Of several concurrent moves one
   * succeeds.
   */
  move(move: Move, stored: string | undefined, tx: Transaction): Promise<boolean>
  /**
   * Moves many entries of one type with few statements; `stored` are the states returned by `lockStates`.
   * @throws AppError 409 for an entry whose state has changed since
   */
  moveMany(moves: readonly Move[], stored: ReadonlyMap<number, string>, tx: Transaction): Promise<void>
  record(move: Move, by: { comment: string | null; principal: Principal }, tx: Transaction): Promise<void>
  recordMany(
    moves: readonly Move[],
    by: { comment: string | null; principal: Principal },
    tx: Transaction,
  ): Promise<void>
  /** Oldest first. */
  history(type: string, entryId: number, range: Range): Promise<{ rows: TransitionRow[]; total: number }>
}

export function createWorkflowStore(database: Database): WorkflowStore {
  const queries = workflowQueries(database)
  const byId = (rows: readonly { entryId: number; state: string }[]) =>
    new Map(rows.map(({ entryId, state }) => [entryId, state]))
  const recordMany: WorkflowStore['recordMany'] = async (moves, { comment, principal }, tx) => {
    const actor = actorOf(principal)
    await queries.insertMany(
      moves.map(({ now, ...move }) => ({ ...move, comment, ...actor, createdAt: now })),
      tx,
    )
  }

  return {
    states: async (type, entryIds, on) => byId(await queries.states.all({ type, entryIds }, on)),
    lockStates: async (type, entryIds, tx) => byId(await queries.lockStates.all({ type, entryIds }, tx)),
    async move(move, stored, tx) {
      if (stored === undefined)
        await queries.enter.run({ ...move, state: move.from, updatedAt: move.now }, tx)
      const { changes } = await queries.change.run({ ...move, stored: stored ?? move.from }, tx)
      return changes > 0
    },
    async moveMany(moves, stored, tx) {
      for (const [state, ofState] of byStored(moves, stored)) {
        const { changes } = await queries.changeMany.run({ ...ofState, stored: state }, tx)
        if (changes !== ofState.entryIds.length) throw overtaken()
      }
      const entering = moves.filter(({ entryId }) => !stored.has(entryId))
      const rows = entering.map(({ type, entryId, to, now }) => ({
        type,
        entryId,
        state: to,
        updatedAt: now,
      }))
      try {
        await queries.enterMany(rows, tx)
      } catch (error) {
        throw isUniqueViolation(error) ? overtaken() : error
      }
    },
    record: (move, by, tx) => recordMany([move], by, tx),
    recordMany,
    async history(type, entryId, range) {
      return queries.history({ type, entryId, ...range })
    },
  }
}

/** Moves that can share a statement: entries in the same stored state that get the same new one. */
interface EqualMoves {
  readonly type: string
  readonly to: string
  readonly now: string
  readonly entryIds: number[]
}

function byStored(moves: readonly Move[], stored: ReadonlyMap<number, string>) {
  const groups = new Map<string, readonly [string, EqualMoves]>()
  for (const { type, entryId, to, now } of moves) {
    const state = stored.get(entryId)
    if (state === undefined) continue
    const key = JSON.stringify([state, to])
    const [, group] = groups.get(key) ?? [state, { type, to, now, entryIds: [] }]
    groups.set(key, [state, group])
    group.entryIds.push(entryId)
  }
  return groups.values()
}

function overtaken(): AppError {
  return new AppError(
    'CONFLICT',
    'somebody else has just changed the state of one of the entries; compare again',
  )
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
    changeMany: states.update(
      (value) => sql`${state} = ${value(state, 'to')}, ${updatedAt} = ${value(updatedAt, 'now')}`,
      (value, inList) => sql`${areNamed(value, inList)} and ${state} = ${value(state, 'stored')}`,
    ),
    enterMany: states.insertMany(),
    insertMany: transitions.insertMany(),
    history: transitions.page(['type', 'entryId'], { orderBy: sql`${transitionsTable.columns.id}` }),
  }
}
