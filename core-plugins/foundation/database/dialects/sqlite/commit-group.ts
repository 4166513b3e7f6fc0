import { DatabaseError } from '../../database-error.ts'
import type { Session } from '../../statements/run-transaction.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** One of the transactions of a group, during its turn. */
export interface RoundMember {
  readonly session: Session
  /** Resolves when its queries have ended; it is committed together with the group. */
  readonly left: Promise<void>
}

/**
 * Transactions that run one after the other within one SQLite transaction and share its commit, so that they wait for
 * the disk and update the full-text index only once. None is reported as successful before that commit. If one fails
 * that has written, all of them are rolled back and told to run again, each alone.
 */
export class CommitGroup {
  readonly beganMs = performance.now()
  readonly #connection: SqliteConnection
  readonly #ended: Promise<void>
  #succeed: () => void = () => undefined
  #fail: (error: unknown) => void = () => undefined
  #isOver = false
  #finishedCount = 0

  /** The SQLite transaction must have begun. */
  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#ended = new Promise((resolve, reject) => {
      this.#succeed = resolve
      this.#fail = reject
    })
    this.#ended.catch(() => undefined)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  join(): RoundMember {
    const connection = this.#connection
    let hasWritten = false
    let leave: () => void = () => undefined
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const session: Session = {
      all(statement, values) {
        const rows = connection.all(statement, values)
        hasWritten ||= !connection.isReadOnly(statement)
        return rows
      },
      get(statement, values) {
        const row = connection.get(statement, values)
        hasWritten ||= !connection.isReadOnly(statement)
        return row
      },
      run(statement, values) {
        const result = connection.run(statement, values)
        hasWritten = true
        return result
      },
      commit: async (sent) => {
        await sent
        this.#finishedCount += 1
        leave()
        await this.#ended
      },
      rollback: async () => {
        const undone = this.#undo(hasWritten)
        leave()
        await undone
      },
    }
    return { session, left }
  }

  commit(): void {
    if (this.#isOver) return
    this.#isOver = true
    try {
      this.#connection.execute('commit')
      this.#succeed()
    } catch (error) {
      rollBack(this.#connection)
      this.#fail(error)
    }
  }

  /** @throws DatabaseError that makes the member run again */
  async #undo(hasWritten: boolean): Promise<void> {
    if (this.#isOver) return
    // Its failure may be caused by what other members have written, and is only certain once they are committed.
    // After some failures, such as a full disk, SQLite has already rolled everything back.
    if (!hasWritten && this.#connection.isInTransaction)
      return this.#finishedCount === 0 ? undefined : this.#ended
    this.#isOver = true
    rollBack(this.#connection)
    if (this.#finishedCount === 0) return
    const again = new DatabaseError('deadlock', 'rolled back along with a transaction that shared its commit')
    this.#fail(again)
    throw again
  }
}

export function rollBack(connection: SqliteConnection): void {
  try {
    connection.execute('rollback')
  } catch {
    // SQLite has already rolled back by itself.
  }
}
