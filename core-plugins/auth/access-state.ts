import { type SQL, sql } from 'drizzle-orm'
import { createMailbox } from '../../kernel/index.ts'
import { type Database, query, type Transaction } from '../database/database.ts'
import { unlessTaken } from './taken.ts'

/** `sessions`: who a credential stands for. `roles`: what a role may do. */
export type Topic = 'sessions' | 'roles'

/**
 * Lets every process answer who may do what from memory and still hear of revocations: instantly in the
 * process that makes the change, within `maxStaleMs` in all others. Each change counts up an epoch in its
 * own transaction, and each process compares epochs while requests come in.
 */
export interface AccessState {
  /** Counts up with every change heard of. What was read under an older one must not be remembered. */
  readonly generation: number
  /** Runs `work` in a transaction that other processes hear of; memory is up to date when it resolves. */
  change<T>(topic: Topic, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Like `change`, as a part of a transaction that is open. */
  changeWithin(topic: Topic, tx: Transaction): Promise<void>
  /** Calls back whenever the topic has changed, here or elsewhere. Add listeners before `start`. */
  onChange(topic: Topic, listener: () => unknown): void
  /** Undefined if memory is fresh enough to answer from, otherwise a promise of when it will be. */
  freshen(): Promise<void> | undefined
  /** Reads the epochs for the first time; once the database has booted. */
  start(): Promise<void>
}

/** From this age on memory is checked while it is still used. */
const checkAfterMs = 400
/** Memory that was last checked longer ago is not used before it has been checked again. */
const maxStaleMs = 1000

const topics: readonly Topic[] = ['sessions', 'roles']

/** Makes the state of one process. */
export function createAccessState(database: Database): AccessState {
  const queries = stateQueries(database)
  const listeners = new Map<Topic, (() => unknown)[]>(topics.map((topic) => [topic, []]))
  // Listeners reload from the database. One after the other: a load that began before a change must not
  // end after the load that the change caused.
  const telling = createMailbox()
  let epochs = new Map<Topic, number>()
  let generation = 0
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined

  function tell(topic: Topic): Promise<void> {
    generation++
    return telling.run(async () => {
      for (const listener of listeners.get(topic) ?? []) await listener()
    })
  }

  async function check(): Promise<void> {
    // Monotonic: a clock that is set back must not prolong what memory may be trusted.
    const startedAtMs = performance.now()
    const current = new Map((await queries.readAll.all()).map(({ topic, epoch }) => [topic, epoch]))
    const changed = topics.filter((topic) => current.get(topic) !== epochs.get(topic))
    for (const topic of changed) await tell(topic)
    epochs = current
    checkedAtMs = startedAtMs
  }

  function checkOnce(): Promise<void> {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  return {
    get generation() {
      return generation
    },
    async change(topic, work) {
      const result = await database.transaction(async (tx) => {
        const worked = await work(tx)
        await queries.countUp.run({ topic }, tx)
        return worked
      })
      await tell(topic)
      return result
    },
    async changeWithin(topic, tx) {
      await queries.countUp.run({ topic }, tx)
      tx.afterCommit(() => tell(topic))
    },
    onChange: (topic, listener) => listeners.get(topic)?.push(listener),
    freshen() {
      const ageMs = performance.now() - checkedAtMs
      if (ageMs < checkAfterMs) return undefined
      const check = checkOnce()
      if (ageMs > maxStaleMs) return check
      // A failure shows when memory gets too old to be used without a check.
      check.catch(() => undefined)
      return undefined
    },
    async start() {
      const present = new Set((await queries.readAll.all()).map(({ topic }) => topic))
      for (const topic of topics.filter((topic) => !present.has(topic))) {
        await unlessTaken(queries.insert.run({ topic }))
      }
      await check()
    },
  }
}

function stateQueries(database: Database) {
  const columns = {
    topic: { column: 'topic', kind: 'string' },
    epoch: { column: 'epoch', kind: 'integer' },
  } as const
  const table: SQL = sql`svc_auth_state`
  return {
    readAll: query<{ topic: Topic; epoch: number }>(
      database,
      () => sql`select topic, epoch from ${table}`,
      columns,
    ),
    countUp: query(
      database,
      (value) => sql`update ${table} set epoch = epoch + 1 where topic = ${value('topic', 'string')}`,
    ),
    insert: query(
      database,
      (value) => sql`insert into ${table} (topic, epoch) values (${value('topic', 'string')}, 0)`,
    ),
  }
}
