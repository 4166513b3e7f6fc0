import { type SQL, sql } from 'drizzle-orm'
import {
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../database/database.ts'
import type { Principal, Range } from '../http/http.ts'
import { transitionColumns } from './tables.ts'

/** A row of `svc_workflow_transitions`. */
export interface TransitionRow {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly comment: string | null
  readonly actorKind: string | null
  readonly actorId: number | null
  readonly actorName: string | null
  readonly createdAt: string
}

/** An entry on its way from one state to another. */
export interface Move {
  readonly type: string
  readonly entryId: number
  readonly from: string
  readonly to: string
  readonly now: string
}

export interface WorkflowStore {
  /** The stored states of entries, by id; with one query. Entries that never left their initial state have none. */
  states(type: string, entryIds: readonly number[], queries?: Queries): Promise<Map<number, string>>
  /** The same, locked until the end of the transaction. */
  lockStates(type: string, entryIds: readonly number[], tx: Transaction): Promise<Map<number, string>>
  /** False where the stored state is another one (undefined: none) by now; of several at once one succeeds. */
  move(move: Move, stored: string | undefined, tx: Transaction): Promise<boolean>
  record(move: Move, by: { comment: string | null; principal: Principal }, tx: Transaction): Promise<void>
  /** Oldest first. */
  history(type: string, entryId: number, range: Range): Promise<{ rows: TransitionRow[]; total: number }>
  /** Forgets entries. */
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
      if (stored === undefined) await queries.enter.run({ ...move }, tx)
      const { changes } = await queries.change.run({ ...move, stored: stored ?? move.from }, tx)
      return changes > 0
    },
    async record({ now, ...move }, { comment, principal }, tx) {
      await queries.insert.run({ ...move, comment, ...actorOf(principal), createdAt: now }, tx)
    },
    async history(type, entryId, range) {
      const [rows, counted] = await Promise.all([
        queries.history.all({ type, entryId, ...range }),
        queries.count.get({ type, entryId }),
      ])
      return { rows, total: counted?.total ?? 0 }
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
  const { dialect } = database
  const ofEntry = (value: Value) =>
    sql`type = ${value('type', 'string')} and entry_id = ${value('entryId', 'integer')}`
  const states = (lock: SQL) =>
    query<{ entryId: number; state: string }>(
      database,
      (value, inList) => sql`select entry_id as ${sql.identifier('entryId')}, state from svc_workflow_states
        where type = ${value('type', 'string')} and ${inList(sql`entry_id`, 'entryIds', 'integer')} ${lock}`,
      { entryId: { column: 'entry_id', kind: 'integer' }, state: { column: 'state', kind: 'string' } },
    )
  const removeFrom = (table: string) =>
    query(
      database,
      (value, inList) => sql`delete from ${sql.identifier(table)} where type = ${value('type', 'string')}
        and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
    )
  return {
    states: states(sql``),
    lockStates: states(dialect.forUpdate),
    enter: query(
      database,
      (value) => sql`insert into svc_workflow_states (type, entry_id, state, updated_at)
        values (${value('type', 'string')}, ${value('entryId', 'integer')}, ${value('from', 'string')},
        ${value('now', 'datetime')}) ${dialect.ignoreDuplicates('type')}`,
    ),
    change: query(
      database,
      (value) => sql`update svc_workflow_states set state = ${value('to', 'string')},
        updated_at = ${value('now', 'datetime')}
        where ${ofEntry(value)} and state = ${value('stored', 'string')}`,
    ),
    insert: query(database, (value) => insertInto('svc_workflow_transitions', transitionColumns, value)),
    history: query<TransitionRow>(
      database,
      (value) => sql`select ${selectList(database, transitionColumns)} from svc_workflow_transitions
        where ${ofEntry(value)} order by id limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      transitionColumns,
    ),
    count: query<{ total: number }>(
      database,
      (value) => sql`select count(*) as total from svc_workflow_transitions where ${ofEntry(value)}`,
      { total: { column: 'total', kind: 'integer' } },
    ),
    removeStates: removeFrom('svc_workflow_states'),
    removeTransitions: removeFrom('svc_workflow_transitions'),
  }
}
