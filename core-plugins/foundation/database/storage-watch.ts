import { sql } from 'drizzle-orm'
import { type Log, type Repetition, repeat } from '../../../kernel/index.ts'
import { DatabaseError } from './database-error.ts'
import type { Driver } from './driver.ts'
import { column } from './tables/column.ts'
import { defineTable } from './tables/define-table.ts'

/** Filled and emptied again to find out whether there is space. */
export const probesTable = defineTable('svc_storage_probes', { id: column.id(), filling: column.text() })

/** More than fits into the pages already allocated. */
const filling = '.'.repeat(64 * 1024)
const everyMs = 2_000

export interface StorageWatchOptions {
  readonly log: Log
  onFull(error: DatabaseError): Promise<void>
  onFreed(): Promise<void>
}

/**
 * Tracks whether the database has space: none from the first transaction that failed for lack of it until a
 * write succeeds again.
 */
export class StorageWatch {
  readonly #options: StorageWatchOptions
  #failure: DatabaseError | undefined
  #probing: Repetition | undefined

  constructor(options: StorageWatchOptions) {
    this.#options = options
  }

  /** @throws DatabaseError of kind `full` while there is no room */
  assertRoom(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** A transaction on `driver` failed due to lack of space. */
  failed(error: DatabaseError, driver: Driver): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    const { log } = this.#options
    log.error({ err: error }, 'the database has no room left: writes are refused until there is some')
    this.#probing = repeat(() => this.#probe(driver), {
      everyMs,
      onError: (err) => log.warn({ err }, 'could not check whether the database has room again'),
    })
    this.#probing.runNow()
  }

  async stop(): Promise<void> {
    await this.#probing?.stop()
  }

  async #probe(driver: Driver): Promise<void> {
    try {
      await probe(driver)
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'full') throw error
      await this.#options.onFull(error)
      return
    }
    this.#failure = undefined
    void this.#probing?.stop()
    this.#options.log.info({}, 'the database has room again')
    await this.#options.onFreed()
  }
}

async function probe(driver: Driver): Promise<void> {
  const insert = driver.prepare(
    sql`insert into ${probesTable} (${probesTable.columns.filling}) values (${filling})`,
  )
  const remove = driver.prepare(sql`delete from ${probesTable}`)
  await driver.transaction(async (tx) => tx.run(insert))
  await driver.transaction(async (tx) => tx.run(remove))
}
