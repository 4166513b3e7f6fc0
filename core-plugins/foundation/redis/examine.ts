import { Redis, type RedisOptions } from 'ioredis'
import { redisNames } from './names.ts'
import {
  evictionProblem,
  isMissingCommand,
  missingRights,
  problemOf,
  sentinelProblem,
  versionProblem,
} from './problems.ts'
import type { RedisConnection, RedisProblem } from './redis.ts'

// Imported on demand, with the library: most services have no Redis.

/** The result of examining a Redis. */
export type Examination =
  /** Redis cannot be reached, or is still starting. */
  | { readonly state: 'away'; readonly error: Error }
  /** Redis refuses commands that the service needs, for one or several reasons. */
  | { readonly state: 'refused'; readonly problems: readonly RedisProblem[] }
  /** Redis accepts the commands that the service needs; the problems can be solved later. */
  | { readonly state: 'usable'; readonly server: string; readonly problems: readonly RedisProblem[] }

const timeLimitMs = 5_000

const options: RedisOptions = {
  commandTimeout: timeLimitMs,
  connectTimeout: timeLimitMs,
  disableClientInfo: true,
  // INFO is sent explicitly, since the library would write to the console if it is refused.
  enableReadyCheck: false,
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
}

/**
 * Sends a Redis every command that the service and BullMQ use, over a separate connection that is then closed.
 * Without this check, a refused command would be repeated as fast as Redis can answer. Leaves no data behind.
 * @param signal When aborted, the result is as if Redis were unreachable.
 */
export async function examine(url: string, keyPrefix: string, signal?: AbortSignal): Promise<Examination> {
  const redis = new Redis(url, options)
  const abort = () => redis.disconnect()
  signal?.addEventListener('abort', abort)
  let reason: Error | undefined
  redis.on('error', (error) => {
    reason ??= error
  })
  try {
    await redis.connect()
    return await examineConnection(redis, keyPrefix)
  } catch (error) {
    return failed(reason ?? (error as Error), keyPrefix)
  } finally {
    signal?.removeEventListener('abort', abort)
    redis.disconnect()
  }
}

/** Redis closes the connection after a refused password. */
function failed(error: Error, keyPrefix: string): Examination {
  if (!isReply(error)) return { state: 'away', error }
  // The error itself contains the arguments of AUTH, and errors are logged.
  if (isStarting(error.message)) return { state: 'away', error: new Error(error.message) }
  return { state: 'refused', problems: [problemOf(error.message, keyPrefix)] }
}

const isReply = (error: Error) => error.name === 'ReplyError'
const isStarting = (reply: string) => reply.startsWith('LOADING')

/** A refused command, by name if the account lacks the right to run it. */
interface Refused {
  readonly command: string
  readonly reply: string
}

async function examineConnection(redis: RedisConnection, keyPrefix: string): Promise<Examination> {
  const refused: Refused[] = []
  const info = await asked(refused, 'INFO', redis.info())
  const { redis_mode: mode, maxmemory_policy: policy = '', ...about } = fieldsOf(info ?? '')
  if (mode === 'sentinel') return { state: 'refused', problems: [sentinelProblem] }
  await askAll(redis, keyPrefix, refused)
  const starting = refused.find(({ reply }) => isStarting(reply))
  if (starting !== undefined) return { state: 'away', error: new Error(starting.reply) }
  if (refused.length > 0) return { state: 'refused', problems: problemsOf(refused, keyPrefix) }
  const { redis_version: version = '', valkey_version: valkey } = about
  const server = valkey === undefined ? `Redis ${version}` : `Valkey ${valkey}`
  return { state: 'usable', server, problems: [...evictions(policy), ...age(version)] }
}

async function askAll(redis: RedisConnection, keyPrefix: string, refused: Refused[]): Promise<void> {
  const { tickets, rates, signals } = redisNames(keyPrefix)
  const keys = [...types.map((name) => `${tickets}:jobs:examine:${name}`), `${rates}examine`]
  const { db = 0 } = redis.options
  const [lines] = await Promise.all([
    asked(refused, 'EVAL', redis.eval(script, keys.length, ...keys) as Promise<string[]>),
    ...(db === 0 ? [] : [asked(refused, 'SELECT', redis.select(db))]),
    asked(refused, 'EVALSHA', redis.evalsha(unknownScript, 0)),
    asked(refused, 'SCRIPT', redis.script('EXISTS', unknownScript)),
    asked(refused, 'MULTI', redis.multi({ pipeline: false })),
    asked(refused, 'EXEC', redis.exec()),
    // Harmless, since a signal without a topic has no listeners.
    asked(refused, 'PUBLISH', redis.publish(signals, '')),
    asked(refused, 'BZPOPMIN', redis.bzpopmin(`${tickets}:jobs:examine:zset`, shortestWaitSeconds)),
  ])
  for (const line of lines ?? []) {
    const [command = '', ...reply] = line.split(' ')
    refused.push({ command, reply: reply.join(' ') })
  }
  // Last, since no other command may be sent on a subscribed connection.
  await asked(refused, 'SUBSCRIBE', redis.subscribe(signals))
}

const shortestWaitSeconds = 0.01
const unknownScript = '0'.repeat(40)

/** Errors that are correct answers to such empty requests. */
const expected = /^NOSCRIPT|^ERR EXEC without MULTI|^EXECABORT/

/**
 * Returns the answer, or undefined if Redis refused.
 * @throws Error if Redis does not respond
 */
async function asked<T>(refused: Refused[], command: string, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const { message } = error as Error
    if (!isReply(error as Error)) throw error
    if (!expected.test(message)) refused.push({ command, reply: message })
    return undefined
  }
}

/** One key for each type of value. */
const types = ['string', 'hash', 'list', 'set', 'zset', 'stream'] as const

/** The commands that the scripts of BullMQ and the rate limit run; a test compares them with those actually run. */
const scripted: Readonly<Record<(typeof types)[number], readonly string[]>> = {
  string: ['EXISTS', 'SET 1', 'GET', 'INCR', 'PEXPIRE 1000', 'PTTL', 'DEL'],
  hash: [
    'HSET a 1',
    'HMSET a 1',
    'HGET a',
    'HMGET a',
    'HGETALL',
    'HEXISTS a',
    'HINCRBY a 1',
    'HDEL a',
    'DEL',
  ],
  list: ['LPUSH a', 'RPUSH a', 'LLEN', 'LRANGE 0 0', 'LREM 0 b', 'DEL'],
  set: ['SADD a', 'SMEMBERS', 'SCARD', 'SREM a', 'DEL'],
  zset: ['ZADD 1 a', 'ZCARD', 'ZSCORE a', 'ZRANGE 0 0', 'ZRANGEBYSCORE 0 0', 'ZREM a', 'ZPOPMIN', 'DEL'],
  stream: ['XADD * a 1', 'XTRIM MAXLEN 0', 'DEL'],
}

/** Returns all refused commands, each with the reply; the last key is that of a rate limit. */
const script = `
local refused = {}
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then refused[#refused + 1] = command .. ' ' .. reply.err end
end
${types.flatMap((name, index) => scripted[name].map((line) => call(line, index + 1))).join('\n')}
try('RPOPLPUSH', KEYS[3], KEYS[3])
try('PTTL', KEYS[7])
return refused`

function call(line: string, key: number): string {
  const [command, ...values] = line.split(' ')
  return `try('${command}', KEYS[${key}]${values.map((value) => `, '${value}'`).join('')})`
}

/** One problem for all missing rights, and one for each other cause. */
function problemsOf(refused: readonly Refused[], keyPrefix: string): RedisProblem[] {
  const missing = refused.filter(({ reply }) => isMissingCommand(reply))
  const others = refused.filter(({ reply }) => !isMissingCommand(reply))
  const byRemedy = new Map<string, RedisProblem>()
  for (const { reply } of others) {
    const problem = problemOf(reply, keyPrefix)
    if (!byRemedy.has(problem.remedy)) byRemedy.set(problem.remedy, problem)
  }
  return [
    ...(missing.length === 0 ? [] : [missingRights(missing.map(({ command }) => command))]),
    ...byRemedy.values(),
  ]
}

/** Parses the lines of INFO, `name:value`. */
function fieldsOf(info: string): Record<string, string | undefined> {
  return Object.fromEntries(info.split(/\r?\n/).map((line) => line.split(/:(.*)/, 2)))
}

const evictions = (policy: string) =>
  policy === '' || policy === 'noeviction' ? [] : [evictionProblem(policy)]

const isOld = (version: string) => /^([0-5]|6\.[01])\./.test(version)
const age = (version: string) => (isOld(version) ? [versionProblem(version)] : [])
