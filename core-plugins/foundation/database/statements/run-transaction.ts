import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../../kernel/index.ts'
import { DatabaseError, type DatabaseErrorKind } from '../database-error.ts'
import { insertWaiting, type WaitingRows } from '../schema/waiting-rows.ts'
import type { Queries, RunResult } from './query-target.ts'
import type { Statement, Values } from './statement.ts'
import type { Transaction, TransactionKind } from './transaction.ts'

/** A connection with an open transaction. */
export interface Session extends Queries {
  /** `sent` are queries sent just before; the commit fails if they do. */
  commit(sent: Promise<void> | undefined): void | Promise<void>
  rollback(): void | Promise<void>
}

/** How a database runs transactions. */
export interface TransactionOptions {
  /** Passes a session with an open transaction to `use`, and takes it back afterwards. */
  readonly withSession: <T>(use: (session: Session) => Promise<T>, kind: TransactionKind) => Promise<T>
  /** How long a transaction may be idle before it is rolled back. */
  readonly idleTimeoutMs: number
  /** Called for each failure due to lack of space. */
  readonly onFull: (error: DatabaseError) => void
  readonly log: Log
}

const maxRetries = 3

/** Runs `work` as specified for `Database.transaction`. */
export async function runTransaction<T>(
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  kind: TransactionKind = {},
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(work, options, retries === 0 ? kind : { ...kind, isBrief: false })
    } catch (error) {
      if (isOfKind(error, 'full')) options.onFull(error)
      const mayRepeat = error instanceof DatabaseError && error.mayRepeat
      if (!mayRepeat || retries === maxRetries) throw error
      // Randomised, so that transactions that collided do not collide again. If the database is busy, it needs more
      // time.
      const leastMs = error.kind === 'busy' ? 120 : 0
      await delay((leastMs + Math.random() * 10) * 2 ** retries)
    }
  }
}

function isOfKind(error: unknown, kind: DatabaseErrorKind): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === kind
}

async function attempt<T>(
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  kind: TransactionKind,
): Promise<T> {
  const { result, actions } = await options.withSession(async (session) => {
    const tx = new OpenTransaction(session, options.idleTimeoutMs)
    try {
      const result = await Promise.race([complete(work, tx), tx.expired])
      await tx.commit()
      return { result, actions: tx.actions }
    } catch (error) {
      tx.abandon()
      // Sent after all other queries: those sent before have ended when it is answered.
      await session.rollback()
      throw tx.causeOf(error)
    }
  }, kind)
  await runActions(actions, options.log)
  return result
}

async function complete<T>(work: (tx: Transaction) => Promise<T>, tx: OpenTransaction): Promise<T> {
  const result = await work(tx)
  // An action may add further ones.
  do {
    for (const action of tx.lastWork.splice(0)) await action()
    if (tx.lastWork.length === 0) await runTogether(tx.lastRows.splice(0))
  } while (tx.lastWork.length + tx.lastRows.length > 0)
  return result
}

/** Concurrently, so that PostgreSQL receives their queries without a pause for each answer. */
async function runTogether(actions: readonly (() => unknown)[]): Promise<void> {
  await Promise.all(actions.map(async (action) => action()))
}

async function runActions(actions: readonly (() => unknown)[], log: Log) {
  for (const action of actions) {
    try {
      await action()
    } catch (error) {
      log.error({ err: error }, 'an action after a commit failed')
    }
  }
}

/**
 * What `work` receives. No query may run on it after the end, as it would run outside the transaction. On every
 * database, as on PostgreSQL, a failed query fails the whole transaction, even if the error was caught.
 */
class OpenTransaction implements Transaction {
  readonly actions: (() => unknown)[] = []
  readonly lastWork: (() => unknown)[] = []
  readonly lastRows: (() => unknown)[] = []
  /** Rejects when the transaction has been idle for too long. */
  readonly expired: Promise<never>
  readonly #session: Session
  readonly #timer: NodeJS.Timeout
  #isOpen = true
  #inFlight = 0
  #failure: unknown
  /** The error that queries report which failed only because of an earlier one. */
  #aborted: unknown
  #waiting: WaitingRows[] = []

  constructor(session: Session, idleTimeoutMs: number) {
    this.#session = session
    const { promise, reject } = withResolvers<never>()
    this.expired = promise
    this.#timer = setTimeout(() => {
      // Waiting for an answer is not idle time; the driver limits it.
      if (this.#inFlight > 0) this.#timer.refresh()
      else reject(idleFor(idleTimeoutMs))
    }, idleTimeoutMs)
  }

  all<R>(statement: Statement<R>, values?: Values): R[] | Promise<R[]> {
    return this.#guard(() => this.#session.all(statement, values))
  }

  get<R>(statement: Statement<R>, values?: Values): R | undefined | Promise<R | undefined> {
    return this.#guard(() => this.#session.get(statement, values))
  }

  run(statement: Statement, values?: Values): RunResult | Promise<RunResult> {
    return this.#guard(() => this.#session.run(statement, values))
  }

  beforeCommit(action: () => unknown): void {
    this.lastWork.push(action)
  }

  withCommit(action: () => unknown): void {
    this.lastRows.push(action)
  }

  insertSoon(rows: WaitingRows): void {
    this.#assertOpen()
    this.#waiting.push(rows)
  }

  async flush(): Promise<void> {
    this.#assertOpen()
    if (this.#waiting.length > 0) await this.#follow(this.#sendWaiting())
  }

  afterCommit(action: () => unknown): void {
    this.actions.push(action)
  }

  /**
   * Queries are sent without waiting for earlier ones, so the first error reported may be a consequence of another.
   */
  causeOf(error: unknown): unknown {
    return isOfKind(error, 'aborted') ? (this.#failure ?? error) : error
  }

  /**
   * Commits; nothing can run on it afterwards.
   * @throws the error of a failed query
   */
  async commit(): Promise<void> {
    this.abandon()
    const failure = this.#failure ?? this.#aborted
    if (failure !== undefined) throw failure
    await this.#session.commit(this.#waiting.length === 0 ? undefined : this.#sendWaiting())
  }

  abandon() {
    this.#isOpen = false
    clearTimeout(this.#timer)
  }

  #guard<T>(query: () => T | Promise<T>): T | Promise<T> {
    this.#assertOpen()
    this.#timer.refresh()
    if (this.#waiting.length === 0) return this.#watch(query)
    return this.#follow(this.#behind(this.#sendWaiting(), query))
  }

  #assertOpen() {
    if (!this.#isOpen) throw new DatabaseError('other', 'the transaction has ended; await every query in it')
  }

  /**
   * Sends the query right after the pending inserts, but reports the first failure: after it, PostgreSQL only says
   * that an earlier query has failed.
   */
  async #behind<T>(sent: Promise<void>, query: () => T | Promise<T>): Promise<T> {
    const answer = (async () => query())()
    answer.catch(() => undefined)
    await sent
    return answer
  }

  #sendWaiting(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    return insertWaiting(waiting, this.#session)
  }

  #watch<T>(query: () => T | Promise<T>): T | Promise<T> {
    try {
      const answer = query()
      return answer instanceof Promise ? this.#follow(answer) : answer
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  #follow<T>(answer: Promise<T>): Promise<T> {
    this.#inFlight += 1
    return answer.then(
      (value) => {
        this.#settle()
        return value
      },
      (error) => {
        this.#settle()
        this.#note(error)
        throw error
      },
    )
  }

  #note(error: unknown) {
    if (isOfKind(error, 'aborted')) this.#aborted ??= error
    else this.#failure ??= error
  }

  #settle() {
    this.#inFlight -= 1
    if (this.#isOpen) this.#timer.refresh()
  }
}

function idleFor(timeMs: number): DatabaseError {
  return new DatabaseError('busy', `a transaction was idle for ${timeMs} ms and was rolled back`)
}

function withResolvers<T>() {
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<T>((_, rejectPromise) => {
    reject = rejectPromise
  })
  promise.catch(() => undefined)
  return { promise, reject }
}
