import { createMailbox, type Log } from '../../../kernel/index.ts'
import type { ChangeStore } from './change-store.ts'

/** Assigns positions to committed changes. */
export interface Sequencer {
  /** Numbers everything committed so far. */
  run(): Promise<void>
  /** Numbers after a short delay, so that many commits are numbered at once. */
  schedule(): void
  stop(): Promise<void>
}

const portion = 500
/**
 * Bursts of commits are numbered together, since each run is a commit of its own. Followers of the log do not wait for it,
 * because following also numbers.
 */
const intervalMs = 100

/**
 * Ids are assigned before the commit, so a reader that remembers the highest id would miss changes that commit later with a lower
 * one. Positions are assigned afterwards, under a lock: a reader that has seen a position has seen all lower ones.
 */
export function createSequencer(store: Pick<ChangeStore, 'number' | 'isOrderedById'>, log: Log): Sequencer {
  const numbering = createMailbox()
  let queued: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function numberAll(): Promise<void> {
    queued = undefined
    while ((await store.number(portion)) === portion);
  }

  function run(): Promise<void> {
    if (store.isOrderedById) return Promise.resolve()
    queued ??= numbering.run(numberAll)
    return queued
  }

  function runScheduled(): void {
    timer = undefined
    run().catch((error) =>
      log.warn({ err: error }, 'changes could not be numbered; the next look tries again'),
    )
  }

  return {
    run,
    schedule() {
      if (store.isOrderedById || isStopped) return
      timer ??= setTimeout(runScheduled, intervalMs).unref()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await numbering.idle()
    },
  }
}
