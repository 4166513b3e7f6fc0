import type { Signals } from './signals.ts'

/**
 * Sends every signal over all of these channels, so that it arrives as long as one of them works. A listener may be called
 * once for each. Without channels, nothing is received.
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
