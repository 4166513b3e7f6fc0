import { setTimeout as delay } from 'node:timers/promises'

/** Processes one item, together with others. */
export type Gathered<Item, Result> = (item: Item) => Promise<Result>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const maxItems = 100

/**
 * Combines many calls for one item each into one call for many items: calls of the same event loop turn, calls within
 * `lingerMs`, and calls made while others are in progress. `work` returns results in the order of the items. If it fails, each
 * item is tried alone, so that none fails because of another.
 */
export function gathered<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  lingerMs = 0,
): Gathered<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isWorking = false

  async function workOnAll(): Promise<void> {
    // Waits for further calls of this turn.
    await undefined
    while (waiting.length > 0) {
      if (lingerMs > 0) await delay(lingerMs)
      const batch = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      await settle(batch)
    }
    isWorking = false
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const each of batch) await settle([each])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isWorking) return
      isWorking = true
      void workOnAll()
    })
}
