import type { Log } from '../../../kernel/index.ts'
import type { connectWatched } from './driver.ts'
import type { Examination } from './examine.ts'
import { redisNames } from './names.ts'
import { createOutageLog, type OutageLog } from './outage-log.ts'
import { problemOf } from './problems.ts'
import type { BeginUse, Redis, RedisConnection, RedisNames, RedisProblem } from './redis.ts'

/** Provides Redis to plugins while it accepts the commands they need, and does not use it otherwise. */
export interface RedisKeeper extends Redis {
  /** Begins to examine Redis, if one is configured. */
  start(): void
  /** Resolves when it is known whether Redis can be used, if one is configured, or when the time is up. */
  settled(limitMs: number): Promise<void>
  /** Ends all uses and closes all connections. */
  stop(): Promise<void>
}

export interface RedisKeeperOptions {
  /** Empty if no Redis is configured. */
  readonly url: string
  readonly keyPrefix: string
  readonly log: Log
  /**
   * Called when the problems with Redis are known for the first time, even if there are none, and whenever they
   * change.
   */
  readonly onProblems: (problems: readonly RedisProblem[]) => void
}

export function createRedisKeeper(options: RedisKeeperOptions): RedisKeeper {
  return new Keeper(options)
}

/** A period in which Redis is used. */
interface Session {
  readonly beganAtMs: number
  readonly connectWatched: typeof connectWatched
}

/** One plugin's use of Redis in a session. */
interface Use {
  end(): Promise<void>
}

const shortestAwayMs = 100
const longestAwayMs = 2_000
const shortestRefusedMs = 1_000
const longestRefusedMs = 60_000

class Keeper implements RedisKeeper {
  readonly names: RedisNames
  readonly isConfigured: boolean
  readonly #options: RedisKeeperOptions
  readonly #outages: OutageLog
  readonly #uses = new Map<BeginUse, Use | undefined>()
  readonly #stopping = new AbortController()
  readonly #settled: Promise<void>
  #settle: () => void = () => undefined
  #session: Session | undefined
  #timer: NodeJS.Timeout | undefined
  /** The refusal that ended the last session, until the next examination. */
  #refusal: RedisProblem | undefined
  #awayPauseMs = shortestAwayMs
  #refusedPauseMs = shortestRefusedMs
  /** The problems that were reported last; undefined if none have been reported yet. */
  #problems: readonly RedisProblem[] | undefined
  /** The reported problems of a Redis that is nevertheless in use. */
  #warnings = ''

  constructor(options: RedisKeeperOptions) {
    this.#options = options
    this.names = redisNames(options.keyPrefix)
    this.isConfigured = options.url !== ''
    this.#outages = createOutageLog(options.log)
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  use(begin: BeginUse): () => Promise<void> {
    this.#uses.set(begin, this.#begin(begin))
    return async () => {
      const use = this.#uses.get(begin)
      this.#uses.delete(begin)
      await use?.end()
    }
  }

  start(): void {
    if (this.isConfigured) void this.#examine()
  }

  async settled(limitMs: number): Promise<void> {
    if (!this.isConfigured) return
    let timer: NodeJS.Timeout | undefined
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs)
    })
    await Promise.race([this.#settled, timeUp])
    clearTimeout(timer)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    this.#outages.forget(this)
    await this.#endSession()
  }

  async #examine(): Promise<void> {
    const { url, keyPrefix } = this.#options
    const { signal } = this.#stopping
    const [{ connectWatched }, { examine }] = await Promise.all([
      import('./driver.ts'),
      import('./examine.ts'),
    ])
    const found = await examine(url, keyPrefix, signal)
    if (signal.aborted) return
    this.#conclude(found, connectWatched)
    this.#settle()
  }

  #conclude(found: Examination, connect: typeof connectWatched): void {
    if (found.state === 'away') {
      this.#outages.lost(this, found.error)
      this.#again(this.#awayPauseMs)
      this.#awayPauseMs = Math.min(2 * this.#awayPauseMs, longestAwayMs)
      return
    }
    this.#outages.back(this)
    this.#awayPauseMs = shortestAwayMs
    const problems = found.state === 'refused' ? found.problems : this.#refusalAsProblems()
    this.#refusal = undefined
    this.#tell(problems)
    if (problems.length === 0) {
      this.#warn(found.problems)
      this.#beginSession(connect)
    } else {
      this.#again(this.#refusedPauseMs)
      this.#refusedPauseMs = Math.min(2 * this.#refusedPauseMs, longestRefusedMs)
    }
  }

  /**
   * An examination may miss what is refused later; the pause then keeps the refused command from being repeated all
   * the time.
   */
  #refusalAsProblems(): readonly RedisProblem[] {
    return this.#refusal === undefined ? [] : [this.#refusal]
  }

  #again(pauseMs: number): void {
    this.#timer = setTimeout(() => void this.#examine(), pauseMs)
    this.#timer.unref()
  }

  #tell(problems: readonly RedisProblem[]): void {
    const isFirst = this.#problems === undefined
    const before = this.#problems ?? []
    this.#problems = problems
    if (!isFirst && textOf(problems) === textOf(before)) return
    const { log, onProblems } = this.#options
    if (problems.length > 0) log.warn({}, `Redis is not used: ${textOf(problems)}`)
    else if (before.length > 0) log.info({}, 'Redis is used again')
    onProblems(problems)
  }

  #warn(problems: readonly RedisProblem[]): void {
    const text = textOf(problems)
    if (text !== this.#warnings && text !== '') this.#options.log.warn({}, `Redis is used, but ${text}`)
    this.#warnings = text
  }

  #beginSession(connect: typeof connectWatched): void {
    this.#session = { beganAtMs: performance.now(), connectWatched: connect }
    for (const begin of this.#uses.keys()) this.#uses.set(begin, this.#begin(begin))
  }

  #begin(begin: BeginUse): Use | undefined {
    const session = this.#session
    if (session === undefined) return undefined
    const connections = new Set<RedisConnection>()
    let isOver = false
    const connect = session.connectWatched(this.#options.url, {
      refused: (error) => this.#refused(session, error),
      opened: (connection) => {
        if (isOver) return connection.disconnect()
        connections.add(connection)
        this.#watch(connection)
        connection.on('end', () => connections.delete(connection))
      },
    })
    const stop = begin(connect)
    return {
      end: async () => {
        isOver = true
        // The user is stopped first, so that it does not mistake the end of its connections for an outage.
        const stopped = stop()
        for (const connection of connections) connection.disconnect()
        await stopped
      },
    }
  }

  #watch(connection: RedisConnection): void {
    connection.on('error', (error) => {
      // An error reply of Redis is a refusal; any other error is an outage.
      if (!isAnswer(error)) this.#outages.lost(connection, error)
    })
    connection.on('ready', () => this.#outages.back(connection))
    connection.on('end', () => this.#outages.forget(connection))
  }

  #refused(session: Session, error: Error): void {
    if (session !== this.#session || error.message.startsWith('LOADING')) return
    if (performance.now() - session.beganAtMs > longestRefusedMs) this.#refusedPauseMs = shortestRefusedMs
    this.#refusal = problemOf(error.message, this.#options.keyPrefix)
    void this.#endSession().then(() => {
      if (!this.#stopping.signal.aborted) void this.#examine()
    })
  }

  async #endSession(): Promise<void> {
    this.#session = undefined
    const uses = [...this.#uses]
    for (const [begin] of uses) this.#uses.set(begin, undefined)
    const ends = await Promise.allSettled(uses.map(([, use]) => use?.end()))
    for (const end of ends) {
      if (end.status === 'rejected')
        this.#options.log.debug({ err: end.reason }, 'a use of Redis did not end well')
    }
  }
}

const textOf = (problems: readonly RedisProblem[]) =>
  problems.map(({ what, remedy }) => `${what}; ${remedy}`).join('. ')

function isAnswer({ name, message }: Error): boolean {
  return name === 'ReplyError' || message.startsWith('Ready check failed')
}
