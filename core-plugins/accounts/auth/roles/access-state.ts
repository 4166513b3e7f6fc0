import { sql } from 'drizzle-orm'
import { createMailbox } from '../../../../kernel/index.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { unlessTaken } from '../accounts/taken.ts'
import { authStateTable, type Topic } from '../tables.ts'

/**
 * Lets every process answer permission checks from memory and still notice revocations: at once in the
 * process that makes the change, within `maxStaleMs` in all others. Each change increments an epoch in its
 * own transaction, and each process compares epochs while requests come in.
 */
export interface AccessState {
  /** Incremented with every change noticed. Values read under an older one must not be cached. */
  readonly generation: number
  /**
   * Runs `work` in a transaction whose change other processes notice. This process's memory is up to date when it resolves;
   * with an `open` transaction, after its commit.
   */
  change<T>(topic: Topic, work: (tx: Transaction) => Promise<T>, open?: Transaction): Promise<T>
  /** Like `change`, as part of an open transaction. */
  changeWithin(topic: Topic, tx: Transaction): Promise<void>
  /** Called whenever the topic has changed, here or elsewhere. Add listeners before `start`. */
  onChange(topic: Topic, listener: () => unknown): void
  /** Undefined if memory is fresh enough to answer from, otherwise a promise that resolves when it is. */
  freshen(): Promise<void> | undefined
  /** Reads the epochs for the first time, once the database has booted. */
  start(): Promise<void>
}

/** From this age on, memory is checked in the background while it is still used. */
const checkAfterMs = 400
/** Memory checked longer ago than this is not used before the next check. */
const maxStaleMs = 1000

const topics: readonly Topic[] = ['sessions', 'roles']

/** Creates the access state of this process. */
export function createAccessState(database: Database): AccessState {
  const queries = stateQueries(database)
  const listeners = new Map<Topic, (() => unknown)[]>(topics.map((topic) => [topic, []]))
  // Listeners reload from the database, one after the other: a load that began before a change must not end
  // after the load that the change triggered.
  const notifying = createMailbox()
  let epochs = new Map<Topic, number>()
  let generation = 0
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined

  function notify(topic: Topic): Promise<void> {
    generation++
    return notifying.run(async () => {
      for (const listener of listeners.get(topic) ?? []) await listener()
    })
  }

  async function check(): Promise<void> {
    // Monotonic: a clock that is set back must not extend how long memory is trusted.
    const startedAtMs = performance.now()
    const current = new Map((await queries.readAll.all()).map(({ topic, epoch }) => [topic, epoch]))
    const changed = topics.filter((topic) => current.get(topic) !== epochs.get(topic))
    for (const topic of changed) await notify(topic)
    epochs = current
    checkedAtMs = startedAtMs
  }

  function checkOnce(): Promise<void> {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  async function changeWithin(topic: Topic, tx: Transaction): Promise<void> {
    await queries.countUp.run({ topic }, tx)
    tx.afterCommit(() => notify(topic))
  }

  return {
    get generation() {
      return generation
    },
    async change(topic, work, open) {
      if (open !== undefined) {
        await changeWithin(topic, open)
        return work(open)
      }
      const result = await database.transaction(async (tx) => {
        const worked = await work(tx)
        await queries.countUp.run({ topic }, tx)
        return worked
      })
      await notify(topic)
      return result
    },
    changeWithin,
    onChange: (topic, listener) => listeners.get(topic)?.push(listener),
    freshen() {
      const ageMs = performance.now() - checkedAtMs
      if (ageMs < checkAfterMs) return undefined
      const check = checkOnce()
      if (ageMs > maxStaleMs) return check
      // A failure surfaces when memory gets too old to be used without a check.
      check.catch(() => undefined)
      return undefined
    },
    async start() {
      const present = new Set((await queries.readAll.all()).map(({ topic }) => topic))
      for (const topic of topics.filter((topic) => !present.has(topic))) {
        await unlessTaken(queries.insert.run({ topic, epoch: 0 }))
      }
      await check()
    },
  }
}

function stateQueries(database: Database) {
  const state = authStateTable.on(database)
  const { epoch } = authStateTable.columns
  return {
    readAll: state.find([]),
    countUp: state.update(() => sql`${epoch} = ${epoch} + 1`, ['topic']),
    insert: state.insert(),
  }
}
