import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../kernel/index.ts'
import {
  DatabaseError,
  type Durability,
  type Queries,
  type RunResult,
  type Statement,
  type Transaction,
  type Values,
} from './database.ts'

/** A connection on which a transaction has begun. */
export interface Session extends Queries {
  commit(): void | Promise<void>
  rollback(): void | Promise<void>
}

/** How a database runs transactions. */
export interface TransactionOptions {
  /** Gives `use` a session in which a transaction has begun, and takes it back when `use` has ended. */
  readonly withSession: <T>(use: (session: Session) => Promise<T>, durability: Durability) => Promise<T>
  /** How long a transaction may do nothing before it is rolled back. */
  readonly idleTimeoutMs: number
  readonly log: Log
}

const maxRetries = 3

/** Runs `work` as `Database.transaction` promises. */
export async function runTransaction<T>(
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  durability: Durability = 'full',
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(work, options, durability)
    } catch (error) {
      const isDeadlock = error instanceof DatabaseError && error.kind === 'deadlock'
      if (!isDeadlock || retries === maxRetries) throw error
      // Spread out, so that those who collided do not collide again.
      await delay(Math.random() * 10 * 2 ** retries)
    }
  }
}

async function attempt<T>(
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  durability: Durability,
): Promise<T> {
  const { result, actions } = await options.withSession(async (session) => {
    const tx = new OpenTransaction(session, options.idleTimeoutMs)
    try {
      const result = await Promise.race([complete(work, tx), tx.expired])
      tx.close()
      await session.commit()
      return { result, actions: tx.actions }
    } catch (error) {
      tx.abandon()
      await session.rollback()
      throw error
    }
  }, durability)
  await runActions(actions, options.log)
  return result
}

async function complete<T>(work: (tx: Transaction) => Promise<T>, tx: OpenTransaction): Promise<T> {
  const result = await work(tx)
  // An action may add others.
  for (const action of tx.lastActions) await action()
  return result
}

async function runActions(actions: readonly (() => unknown)[], log: Log) {
  for (const action of actions) {
    try {
      await action()
    } catch (error) {
      log.error({ err: error }, 'what was to follow a commit failed')
    }
  }
}

/**
 * What `work` gets. Once it has ended nothing may run on it, as that would land outside of the transaction; and as on
 * PostgreSQL, a failed query fails the whole of it on every database, also when the error was caught.
 */
class OpenTransaction implements Transaction {
  readonly actions: (() => unknown)[] = []
  readonly lastActions: (() => unknown)[] = []
  /** Rejects when the transaction has done nothing for too long. */
  readonly expired: Promise<never>
  readonly #session: Session
  readonly #timer: NodeJS.Timeout
  #isOpen = true
  #inFlight = 0
  #failure: unknown

  constructor(session: Session, idleTimeoutMs: number) {
    this.#session = session
    const { promise, reject } = withResolvers<never>()
    this.expired = promise
    this.#timer = setTimeout(() => {
      // Waiting for an answer is not idle; the driver knows how long that may take.
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
    this.lastActions.push(action)
  }

  afterCommit(action: () => unknown): void {
    this.actions.push(action)
  }

  /** Ends it for good. @throws what a query of it has failed with */
  close() {
    this.abandon()
    if (this.#failure !== undefined) throw this.#failure
  }

  abandon() {
    this.#isOpen = false
    clearTimeout(this.#timer)
  }

  #guard<T>(query: () => T | Promise<T>): T | Promise<T> {
    if (!this.#isOpen) throw new DatabaseError('other', 'the transaction has ended; await every query in it')
    this.#timer.refresh()
    try {
      const answer = query()
      return answer instanceof Promise ? this.#follow(answer) : answer
    } catch (error) {
      this.#failure ??= error
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
        this.#failure ??= error
        throw error
      },
    )
  }

  #settle() {
    this.#inFlight -= 1
    if (this.#isOpen) this.#timer.refresh()
  }
}

function idleFor(timeMs: number): DatabaseError {
  return new DatabaseError('busy', `a transaction did nothing for ${timeMs} ms and was rolled back`)
}

function withResolvers<T>() {
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<T>((_, rejectPromise) => {
    reject = rejectPromise
  })
  promise.catch(() => undefined)
  return { promise, reject }
}
