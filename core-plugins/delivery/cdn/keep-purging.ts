import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../../kernel/index.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { ChangeLog, Following } from '../../entries/changes/changes.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { PurgeStore } from './purge-store.ts'

export interface PurgingParts {
  readonly changes: ChangeLog
  readonly database: Database
  readonly jobs: Jobs
  readonly job: JobKind<Record<string, never>>
  readonly store: PurgeStore
  readonly log: Log
}

const retryAfterMs = 1_000
const name = 'cdn'

/** Ensures that there is a purge job while the CDN is behind the log; any process may run it. */
export class Purging {
  readonly #parts: PurgingParts
  readonly #stopping = new AbortController()
  #following: Following | undefined
  #wanted = 0
  #running: Promise<void> | undefined

  constructor(parts: PurgingParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    this.#following = await this.#parts.changes.follow({
      changed: (_, position) => this.#want(position),
      skipped: (position) => this.#want(position),
    })
    this.#want(this.#following.position)
  }

  /** Purges everything after a change that the tags of responses do not cover. */
  async purgeEverything(): Promise<void> {
    const { store, log } = this.#parts
    try {
      await store.askForEverything()
      this.#want(this.#wanted)
    } catch (error) {
      log.error({ err: error }, 'the CDN could not be told to forget everything')
    }
  }

  async stop(): Promise<void> {
    this.#following?.stop()
    this.#stopping.abort()
    await this.#running
  }

  #want(position: number): void {
    this.#wanted = Math.max(this.#wanted, position)
    if (this.#stopping.signal.aborted) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        if (!(await this.#isBehind())) return
        await this.#job(signal)
      } catch (error) {
        if (signal.aborted) return
        this.#parts.log.warn({ err: error }, 'no job could be made that purges the CDN; trying again')
        await pause(retryAfterMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  async #isBehind(): Promise<boolean> {
    const { epoch, position, asked, done } = await this.#parts.store.state()
    return epoch !== this.#parts.changes.epoch || position < this.#wanted || asked !== done
  }

  /** A running purge may have read the log before this change, so another job follows it. */
  async #job(signal: AbortSignal): Promise<void> {
    const { database, jobs, job } = this.#parts
    const id = await database.transaction((tx) =>
      jobs.enqueue(tx, job, {}, { key: 'cdn.purge', mailbox: name }),
    )
    await jobs.finished(id, signal)
  }
}
