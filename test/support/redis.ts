import { randomBytes } from 'node:crypto'
import { describe } from 'node:test'
import { isListening } from './database-servers.ts'
import { areServicesRequired, isQuick, skipWithout } from './scope.ts'

const localUrl = 'redis://127.0.0.1:6379'

/** The Redis named in the environment, else one on the standard local port; none in a quick run. */
export async function findRedis(): Promise<string | undefined> {
  if (isQuick) return undefined
  const given = process.env.TEST_REDIS_URL
  if (given) return given
  return (await isListening('127.0.0.1', 6379)) ? localUrl : undefined
}

/** Declares a `describe` block that needs Redis; reported as skipped if there is none. */
export function withRedis(name: string, declare: (url: string) => void): void {
  if (url !== undefined) describe(name, () => declare(url as string))
  else if (areServicesRequired()) throw new Error('REQUIRE_SERVICES=1, but there is no Redis')
  else describe(name, { skip: skipWithout('Redis', false) }, () => undefined)
}

/** The environment of a service with Redis whose keys are separate from those of other tests. */
export function redisEnv(redisUrl: string): Record<string, string> {
  return { REDIS_URL: redisUrl, SVC_REDIS_KEY_PREFIX: `test-${randomBytes(6).toString('hex')}:` }
}

// Declared last, as finding it needs everything above.
const url = await findRedis()
