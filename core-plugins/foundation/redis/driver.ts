import { type Command, Redis, type RedisOptions } from 'ioredis'
import { withoutArguments } from './problems.ts'
import type { ConnectRedis, RedisConnection } from './redis.ts'

// Imported on demand, with the library: most services have no Redis.

/** Observes the connections of one use. */
export interface Watcher {
  /** Redis has refused a command. Not called when it is unreachable. */
  refused(error: Error): void
  opened(connection: RedisConnection): void
}

/** Opens connections that report commands refused by Redis. Duplicates made by a library do so too. */
export function connectWatched(url: string, watcher: Watcher): ConnectRedis {
  return (options = {}) => new WatchedRedis(watcher, { ...usual, ...options }, url)
}

type SendCommand = Parameters<RedisConnection['sendCommand']>

class WatchedRedis extends Redis {
  readonly watcher: Watcher

  constructor(watcher: Watcher, options: RedisOptions, url?: string) {
    if (url === undefined) super(options)
    else super(url, options)
    this.watcher = watcher
    watcher.opened(this)
  }

  override sendCommand(command: Command, stream?: SendCommand[1]): unknown {
    if (command.name === 'info') rewordRefusal(command)
    // Both wrap `command.reject`, and the one added last runs first.
    rejectWithoutArguments(command)
    command.promise.catch((error: Error) => {
      if (!isRefusal(error) || optional.has(command.name)) return
      this.watcher.refused(error.cause instanceof Error ? error.cause : error)
    })
    return super.sendCommand(command, stream)
  }

  override duplicate(override?: Partial<RedisOptions>): RedisConnection {
    return new WatchedRedis(this.watcher, { ...this.options, ...override })
  }
}

/**
 * Redis and the library add the arguments of a command to its error, and errors are logged; the arguments of AUTH
 * contain the password.
 */
function rejectWithoutArguments(command: Command): void {
  const { reject } = command
  command.reject = (error) => {
    if ('command' in error) error.command = { name: command.name }
    error.message = withoutArguments(error.message)
    error.stack = withoutArguments(error.stack ?? '')
    reject(error)
  }
}

/** Commands that the library sends but that are not needed. */
const optional = new Set(['client'])

/** Whether an error is a refusal by Redis. NOSCRIPT does not count: the library then sends the script. */
function isRefusal({ name, message }: Error): boolean {
  return name === 'ReplyError' && !message.startsWith('NOSCRIPT')
}

/**
 * If INFO is refused with `NOPERM`, the library writes to the console and considers Redis ready. With another word it
 * closes the connection, and all connections are treated that way.
 */
function rewordRefusal(command: Command): void {
  const { reject } = command
  command.reject = (error) => {
    const isReworded = error.cause !== undefined
    reject(isReworded || !isRefusal(error) ? error : new RefusedInfo(error))
  }
}

class RefusedInfo extends Error {
  constructor(cause: Error) {
    super('INFO is refused', { cause })
    this.name = 'ReplyError'
  }
}

const longestPauseMs = 2_000

const usual: RedisOptions = {
  connectTimeout: 5_000,
  // Older versions of Redis do not know its commands.
  disableClientInfo: true,
  keepAlive: 15_000,
  maxRetriesPerRequest: null,
  retryStrategy: (attempts) => Math.min(50 * 2 ** Math.min(attempts, 10), longestPauseMs),
}
