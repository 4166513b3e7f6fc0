import type { Log } from '../../../kernel/index.ts'

/**
 * Checks that messages arrive, by receiving what this process sends to itself: a connection may be open and still
 * deliver nothing, because the network drops the data or a pooler does not pass messages on.
 */
export interface Probe {
  readonly isConnected: boolean
  /** Sends a probe now. */
  send(): void
  /** A probe has arrived. */
  heard(): void
  /** The connection is known to be lost. */
  lost(): void
  stop(): void
}

export interface ProbeOptions {
  send(): Promise<void>
  restart(): void
  onConnected(): void
  readonly log: Log
  readonly timing?: ProbeTiming | undefined
}

/** All in milliseconds. */
export interface ProbeTiming {
  /** The interval while no probes arrive. */
  readonly tickMs: number
  /** The interval while probes arrive. */
  readonly everyMs: number
  /** How long a probe may take to arrive. */
  readonly patienceMs: number
  /** How long a transport gets to reconnect by itself. */
  readonly restartAfterMs: number
}

const usualTiming: ProbeTiming = {
  tickMs: 1_000,
  everyMs: 10_000,
  patienceMs: 5_000,
  restartAfterMs: 15_000,
}

/** Probes regularly, and more often while nothing arrives. */
export function createProbe(options: ProbeOptions): Probe {
  const { send, restart, onConnected, log } = options
  const { tickMs, everyMs, patienceMs, restartAfterMs } = options.timing ?? usualTiming
  let isConnected = false
  let sentAtMs = 0
  let heardAtMs = 0
  let restartedAtMs = performance.now()

  function ask(): void {
    sentAtMs = performance.now()
    send().catch(() => undefined)
  }

  function heard(): void {
    heardAtMs = performance.now()
    if (isConnected) return
    isConnected = true
    log.debug({}, 'receiving changes of other processes at once')
    onConnected()
  }

  function lost(): void {
    if (!isConnected) return
    isConnected = false
    restartedAtMs = performance.now()
    log.warn({}, 'not receiving changes of other processes this way until the connection is back')
  }

  function tick(): void {
    const nowMs = performance.now()
    const isDead = isConnected && nowMs - heardAtMs > everyMs + patienceMs
    if (isDead) lost()
    if (!isConnected || nowMs - sentAtMs >= everyMs) ask()
    if (!isDead && (isConnected || nowMs - restartedAtMs < restartAfterMs)) return
    restartedAtMs = nowMs
    restart()
  }

  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    get isConnected() {
      return isConnected
    },
    send: ask,
    heard,
    lost,
    stop() {
      clearInterval(timer)
      // From now on, a closed connection does not count as lost.
      isConnected = false
    },
  }
}
