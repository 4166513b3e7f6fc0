import { createMailbox, type Log } from '../../../kernel/index.ts'
import type { ChangeStore } from './change-store.ts'

/** Gives committed changes their positions. */
export interface Sequencer {
  /** Numbers all that is committed by now. */
  run(): Promise<void>
  /** Numbers soon, many commits at once. */
  schedule(): void
  stop(): Promise<void>
}

const portion = 500
/**
 * Bursts of commits are numbered together: each run is a commit of its own. Whoever follows the log does not wait for it:
 * following numbers, too.
 */
const intervalMs = 100

/**
 * Ids are given before the commit, so a reader that remembers the highest one loses what commits later with a lower
 * one. Positions are given afterwards, under a lock: whoever has seen one has seen all lower ones.
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
