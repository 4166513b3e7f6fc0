import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { createMailbox } from '../../../../../kernel/index.ts'
import { DatabaseError } from '../../database-error.ts'
import type { ConnectionLoad } from '../../database-service.ts'
import type { Session } from '../../statements/run-transaction.ts'
import type { TransactionKind } from '../../statements/transaction.ts'
import { CommitGroup, rollBack } from './commit-group.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isBusy } from './sqlite-error.ts'

/** After this many milliseconds in one turn of the event loop, no further transaction begins in it. */
const longestTurnMs = 10

/**
 * SQLite's `NORMAL`: with a write-ahead log, a commit is written but only reaches the disk with the next full
 * one.
 */
export const relaxedLevel = 1

/** The only connection that writes, used by one caller at a time. */
export class SqliteWriter {
  readonly connection: SqliteConnection
  readonly #busyTimeoutMs: number
  readonly fullLevel: number
  readonly #mailbox = createMailbox()
  readonly #session: Session
  /** When each unfinished task was queued, by `performance.now()`: the first is running. */
  readonly #queuedAt: number[] = []
  #group: CommitGroup | undefined
  #turnBeganMs: number | undefined

  constructor(connection: SqliteConnection, busyTimeoutMs: number) {
    this.connection = connection
    this.#busyTimeoutMs = busyTimeoutMs
    this.fullLevel = Number(connection.pragma('synchronous')[0]?.synchronous)
    this.#session = {
      all: (statement, values) => connection.all(statement, values),
      get: (statement, values) => connection.get(statement, values),
      run: (statement, values) => connection.run(statement, values),
      async commit(sent) {
        await sent
        connection.execute('commit')
      },
      rollback: () => rollBack(connection),
    }
  }

  /** Runs one statement: at once if nothing else is being written, otherwise in turn. */
  write<T>(task: () => T): T | Promise<T> {
    const isFree = this.#queuedAt.length === 0 && this.#group === undefined
    if (!isFree) return this.#alone(() => whenFree(task, this.#busyTimeoutMs))
    try {
      return task()
    } catch (error) {
      if (!isBusy(error)) throw error
      return this.#alone(() => whenFree(task, this.#busyTimeoutMs))
    }
  }

  /** Begins a transaction in its turn; a brief one shares its commit with others that arrive at the same time. */
  withSession<T>(
    use: (session: Session) => Promise<T>,
    { durability, isBrief }: TransactionKind,
  ): Promise<T> {
    if (isBrief === true && durability !== 'relaxed') return this.#inGroup(use)
    return this.#alone(async () => {
      if (this.#hasRunLong()) await nextTurn()
      if (durability === 'relaxed') this.#synchronize(relaxedLevel)
      try {
        await this.#begin()
        return await use(this.#session)
      } finally {
        if (durability === 'relaxed') this.#synchronize(this.fullLevel)
      }
    })
  }

  /** The turn of a transaction ends with its queries; its result waits for the commit. */
  #inGroup<T>(use: (session: Session) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turn = this.#inTurn(async () => {
        const group = await this.#openGroup()
        const { session, left } = group.join()
        use(session).then(resolve, reject)
        await left
        if (group.isOver || performance.now() - group.beganMs > longestTurnMs) this.#endGroup()
      })
      turn.catch(reject)
    })
  }

  async #openGroup(): Promise<CommitGroup> {
    if (this.#group !== undefined) return this.#group
    if (this.#hasRunLong()) await nextTurn()
    await this.#begin()
    const group = new CommitGroup(this.connection)
    this.#group = group
    // The group includes all transactions whose requests have arrived by now.
    setImmediate(() => {
      if (this.#group === group) void this.#alone(() => undefined)
    })
    return group
  }

  #endGroup(): void {
    this.#group?.commit()
    this.#group = undefined
  }

  #begin(): Promise<void> {
    return whenFree(() => this.connection.execute('begin immediate'), this.#busyTimeoutMs)
  }

  /** Runs `work` in a transaction without foreign key checks, for rebuilding tables. */
  restructure<T>(work: () => Promise<T>, lockTimeoutMs: number): Promise<T> {
    return this.#alone(async () => {
      // The pragma has no effect inside a transaction.
      this.connection.pragma('foreign_keys = OFF')
      try {
        await whenFree(() => this.connection.execute('begin immediate'), lockTimeoutMs)
        const brokenBefore = brokenReferences(this.connection)
        const result = await work()
        if (brokenReferences(this.connection) > brokenBefore) throw brokenReference()
        this.connection.execute('commit')
        return result
      } catch (error) {
        rollBack(this.connection)
        throw error
      } finally {
        this.connection.pragma('foreign_keys = ON')
      }
    })
  }

  /** Sets whether commits wait for the disk; must not be changed inside a transaction. */
  #synchronize(level: number): void {
    if (this.fullLevel > relaxedLevel) this.connection.pragma(`synchronous = ${level}`)
  }

  load(): ConnectionLoad {
    const busy = Math.min(1, this.#queuedAt.length)
    const waiting = this.#queuedAt.length - busy
    const [, next] = this.#queuedAt
    const longestWaitMs = next === undefined ? 0 : performance.now() - next
    return { use: 'writes', size: 1, open: 1, busy, waiting, longestWaitMs }
  }

  /** Closes after pending work. */
  async close(): Promise<void> {
    await this.#alone(() => undefined)
    await this.#mailbox.idle()
    this.connection.close()
  }

  /**
   * SQLite is synchronous, so a caller that begins one transaction after the other would keep all others from being
   * served.
   */
  #hasRunLong(): boolean {
    if (this.#turnBeganMs !== undefined) return performance.now() - this.#turnBeganMs > longestTurnMs
    this.#turnBeganMs = performance.now()
    setImmediate(() => {
      this.#turnBeganMs = undefined
    })
    return false
  }

  /** Runs a task in its turn, outside any group. */
  #alone<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      this.#endGroup()
      return task()
    })
  }

  async #inTurn<T>(task: () => T | Promise<T>): Promise<T> {
    this.#queuedAt.push(performance.now())
    try {
      return await this.#mailbox.run(task)
    } finally {
      this.#queuedAt.shift()
    }
  }
}

/** Retries until no other process is writing. SQLite's own wait would block this process. */
async function whenFree<T>(task: () => T, timeoutMs: number): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return task()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      await delay(1 + Math.random() * 10)
    }
  }
}

function brokenReferences(connection: SqliteConnection): number {
  return connection.pragma('foreign_key_check').length
}

function brokenReference(): DatabaseError {
  return new DatabaseError(
    'reference',
    'the change of the schema would leave references to rows that are gone',
  )
}
