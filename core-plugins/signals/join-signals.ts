import type { Signals } from './signals.ts'

/**
 * Sends every signal by each of these ways, so that it comes through while one of them does. Who listens may be called
 * once for each; without any way nobody hears anything.
 */
export function joinSignals(ways: readonly Signals[]): Signals {
  return {
    get isConnected() {
      return ways.some(({ isConnected }) => isConnected)
    },
    send(topic) {
      for (const way of ways) way.send(topic)
    },
    onSignal(topic, listener) {
      const ends = ways.map((way) => way.onSignal(topic, listener))
      return () => {
        for (const end of ends) end()
      }
    },
  }
}
