import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../server-process.ts'

const intervalMs = 100

/** Reads again and again how much memory a process has, until it is stopped; `stop` returns the most. */
export function watchMemory(service: ServerProcess): { stop(): Promise<number | undefined> } {
  const state: { most: number | undefined; isStopped: boolean } = { most: undefined, isStopped: false }
  const watched = (async () => {
    while (!state.isStopped) {
      const now = await service.readOwnMb()
      if (now !== undefined) state.most = Math.max(state.most ?? 0, now)
      await sleep(intervalMs)
    }
  })()
  return {
    async stop() {
      state.isStopped = true
      await watched
      return state.most
    },
  }
}
