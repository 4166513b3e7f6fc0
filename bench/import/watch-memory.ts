import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../server-process.ts'

const intervalMs = 100

/** Polls the memory of a process while `work` runs; returns the maximum. */
export async function mostOwnMbDuring<T>(
  service: ServerProcess,
  work: Promise<T>,
): Promise<{ readonly result: T; readonly mostOwnMb: number | undefined }> {
  const state: { most: number | undefined; isOver: boolean } = { most: undefined, isOver: false }
  const watched = (async () => {
    while (!state.isOver) {
      const now = await service.readOwnMb()
      if (now !== undefined) state.most = Math.max(state.most ?? 0, now)
      await sleep(intervalMs)
    }
  })()
  try {
    const result = await work
    return { result, mostOwnMb: state.most }
  } finally {
    state.isOver = true
    await watched
  }
}
