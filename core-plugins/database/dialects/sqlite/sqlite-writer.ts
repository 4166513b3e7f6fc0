import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { createMailbox } from '../../../../kernel/index.ts'
import { type ConnectionLoad, DatabaseError, type TransactionKind } from '../../database.ts'
import type { Session } from '../../transaction.ts'
import { CommitRound, rollBack } from './commit-round.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isBusy } from './sqlite-error.ts'

/** After so long in one turn of the event loop no other transaction begins in it. */
const longestTurnMs = 10

/** SQLite's `NORMAL`: with a write-ahead log a commit is written, and reaches the disk with the next full one. */
const relaxedLevel = 1

/** The one connection that writes, used by one at a time. */
export class SqliteWriter {
  readonly connection: SqliteConnection
  readonly #busyTimeoutMs: number
  readonly #fullLevel: number
  readonly #mailbox = createMailbox()
  readonly #session: Session
  #underWay = 0
  #round: CommitRound | undefined
  #turnBeganMs: number | undefined

  constructor(connection: SqliteConnection, busyTimeoutMs: number) {
    this.connection = connection
    this.#busyTimeoutMs = busyTimeoutMs
    this.#fullLevel = Number(connection.pragma('synchronous')[0]?.synchronous)
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

  /** Runs one statement: at once where nobody else writes, and otherwise in turn. */
  write<T>(task: () => T): T | Promise<T> {
    const isFree = this.#underWay === 0 && this.#round === undefined
    if (!isFree) return this.#alone(() => whenFree(task, this.#busyTimeoutMs))
    try {
      return task()
    } catch (error) {
      if (!isBusy(error)) throw error
      return this.#alone(() => whenFree(task, this.#busyTimeoutMs))
    }
  }

  /** Begins a transaction when it is its turn; a brief one shares its commit with others that come at the same time. */
  withSession<T>(
    use: (session: Session) => Promise<T>,
    { durability, isBrief }: TransactionKind,
  ): Promise<T> {
    if (isBrief === true && durability !== 'relaxed') return this.#inRound(use)
    return this.#alone(async () => {
      if (this.#hasRunLong()) await nextTurn()
      if (durability === 'relaxed') this.#synchronize(relaxedLevel)
      try {
        await this.#begin()
        return await use(this.#session)
      } finally {
        if (durability === 'relaxed') this.#synchronize(this.#fullLevel)
      }
    })
  }

  /** Its turn is over when its queries are; what it answers waits for the commit. */
  #inRound<T>(use: (session: Session) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turn = this.#inTurn(async () => {
        const round = await this.#openRound()
        const { session, left } = round.join()
        use(session).then(resolve, reject)
        await left
        if (round.isOver || performance.now() - round.beganMs > longestTurnMs) this.#endRound()
      })
      turn.catch(reject)
    })
  }

  async #openRound(): Promise<CommitRound> {
    if (this.#round !== undefined) return this.#round
    if (this.#hasRunLong()) await nextTurn()
    await this.#begin()
    const round = new CommitRound(this.connection)
    this.#round = round
    // All whose requests have come by now are in it.
    setImmediate(() => {
      if (this.#round === round) void this.#alone(() => undefined)
    })
    return round
  }

  #endRound(): void {
    this.#round?.commit()
    this.#round = undefined
  }

  #begin(): Promise<void> {
    return whenFree(() => this.connection.execute('begin immediate'), this.#busyTimeoutMs)
  }

  /** Runs `work` in a transaction in which references are not watched over, as tables are made anew. */
  restructure<T>(work: () => Promise<T>, lockTimeoutMs: number): Promise<T> {
    return this.#alone(async () => {
      // The pragma does nothing inside of a transaction.
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

  /** Whether a commit waits for the disk; not to be changed inside of a transaction. */
  #synchronize(level: number): void {
    if (this.#fullLevel > relaxedLevel) this.connection.pragma(`synchronous = ${level}`)
  }

  load(): ConnectionLoad {
    const busy = Math.min(1, this.#underWay)
    return { use: 'writes', open: 1, busy, waiting: this.#underWay - busy }
  }

  /** Closes after what is under way. */
  async close(): Promise<void> {
    await this.#alone(() => undefined)
    await this.#mailbox.idle()
    this.connection.close()
  }

  /**
   * SQLite answers at once, so that nobody else would be served while one who has much to write begins one transaction
   * after the other.
   */
  #hasRunLong(): boolean {
    if (this.#turnBeganMs !== undefined) return performance.now() - this.#turnBeganMs > longestTurnMs
    this.#turnBeganMs = performance.now()
    setImmediate(() => {
      this.#turnBeganMs = undefined
    })
    return false
  }

  /** Runs a task in its turn, outside of any round. */
  #alone<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      this.#endRound()
      return task()
    })
  }

  async #inTurn<T>(task: () => T | Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await this.#mailbox.run(task)
    } finally {
      this.#underWay -= 1
    }
  }
}

/** Tries until no other process writes. SQLite's own wait would stop everything else in this one. */
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
