import type { Log } from '../../kernel/index.ts'

/**
 * Finds out whether what is sent is heard, by hearing what this process sends itself: a connection may stand and
 * carry nothing, because the network swallows it or a pooler in between does not pass messages on.
 */
export interface Probe {
  readonly isConnected: boolean
  /** Asks now. */
  send(): void
  /** The answer came. */
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
  /** How often it asks while nothing is heard. */
  readonly tickMs: number
  /** How often it asks while all is well. */
  readonly everyMs: number
  /** How long an answer may take. */
  readonly patienceMs: number
  /** How long a transport is given to connect anew by itself. */
  readonly restartAfterMs: number
}

const usualTiming: ProbeTiming = {
  tickMs: 1_000,
  everyMs: 10_000,
  patienceMs: 5_000,
  restartAfterMs: 15_000,
}

/** Asks regularly, and often while nothing is heard. */
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
    log.debug({}, 'changes of other processes are heard of at once')
    onConnected()
  }

  function lost(): void {
    if (!isConnected) return
    isConnected = false
    restartedAtMs = performance.now()
    log.warn({}, 'changes of other processes are not heard of this way until the connection is back')
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
    stop: () => clearInterval(timer),
  }
}
