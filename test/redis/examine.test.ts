import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Redis } from 'ioredis'
import { examine } from '../../core-plugins/foundation/redis/examine.ts'
import type { RedisProblem } from '../../core-plugins/foundation/redis/redis.ts'
import { startRedis, startSentinel, type TestServer } from '../support/database-servers.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { accountUrl, documentedAccount, needed, withOwnRedis } from './own-redis.ts'

const prefix = 'mortise:'

async function problemsOf(url: string, keyPrefix = prefix): Promise<readonly RedisProblem[]> {
  const found = await examine(url, keyPrefix)
  assert.equal(found.state, 'refused', JSON.stringify(found))
  return found.state === 'refused' ? found.problems : []
}

async function usable(url: string) {
  const found = await examine(url, prefix)
  if (found.state !== 'usable') throw new Error(JSON.stringify(found))
  return found
}

async function assertRefused(url: string, expected: readonly (readonly [what: RegExp, remedy: RegExp])[]) {
  const problems = await problemsOf(url)
  assert.equal(problems.length, expected.length, JSON.stringify(problems))
  for (const [index, [what, remedy]] of expected.entries()) {
    assert.match(problems[index]?.what ?? '', what)
    assert.match(problems[index]?.remedy ?? '', remedy)
  }
}

withOwnRedis('the examination of an account', (redis) => {
  /** An account, as an operator would make it. */
  const account = (name: string, ...rules: string[]) => redis().account(name, rules)

  it('finds the rights of the documentation enough, and leaves nothing behind', async () => {
    const url = await redis().setUser(documentedAccount())
    const { server, problems } = await usable(url)
    assert.match(server, /^(Redis|Valkey) \d+\.\d+/)
    assert.deepEqual(problems, [])
    assert.equal(await redis().admin.dbsize(), 0)
  })

  it('names INFO where dangerous commands are refused', async () =>
    assertRefused(await account('safe', '~*', '&*', '+@all', '-@dangerous'), [
      [/may not run INFO$/, /docs\/redis\.md.*\+info$/],
    ]))

  it('names the commands of scripts', async () =>
    assertRefused(await account('plain', '~*', '&*', '+@all', '-@scripting'), [
      [/may not run EVAL, EVALSHA, SCRIPT$/, /\+eval \+evalsha \+script$/],
    ]))

  it('names a command that only scripts run', async () =>
    assertRefused(await account('nostream', '~*', '&*', '+@all', '-xadd'), [
      [/may not run XADD$/, /\+xadd$/],
    ]))

  it('names the keys and the channel of another prefix', async () =>
    assertRefused(await account('other', '~other:*', 'resetchannels', '&other:*', '+@all'), [
      [/may not use the keys/, /~mortise:\*.*SVC_REDIS_KEY_PREFIX/],
      [/may not use the channel/, /&mortise:\*.*SVC_REDIS_KEY_PREFIX/],
    ]))

  it('says that a password is wrong, and not which', async () => {
    await account('known', '~*', '&*', '+@all')
    const url = accountUrl(redis().server, 'known', 'another-password')
    await assertRefused(url, [[/does not accept the user and the password/, /REDIS_URL/]])
    assert.doesNotMatch(JSON.stringify(await problemsOf(url)), /another-password/)
  })

  it('says that there is no such database', () =>
    assertRefused(`${redis().server.url}/99`, [[/does not have the database/, /\/0$/]]))
})

withOwnRedis('the examination of a Redis', (redis) => {
  const url = () => redis().server.url

  it('warns of a policy that evicts', async () => {
    await redis().admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const examined = usable(url())
    await examined.finally(() => redis().admin.config('SET', 'maxmemory-policy', 'noeviction'))
    const { problems } = await examined
    assert.equal(problems.length, 1)
    assert.match(problems[0]?.what ?? '', /may drop keys.*allkeys-lru/)
    assert.match(problems[0]?.remedy ?? '', /noeviction/)
  })

  it('says that the memory is full', async () => {
    await redis().admin.config('SET', 'maxmemory', '1')
    const problems = problemsOf(url())
    await problems.finally(() => redis().admin.config('SET', 'maxmemory', '0'))
    assert.match((await problems)[0]?.what ?? '', /memory is full/)
  })

  it('says that replicas are missing', async () => {
    await redis().admin.config('SET', 'min-replicas-to-write', '1')
    const problems = problemsOf(url())
    await problems.finally(() => redis().admin.config('SET', 'min-replicas-to-write', '0'))
    assert.match((await problems)[0]?.what ?? '', /too few replicas/)
  })

  it('says that it is a replica', async () => {
    const replica = needed(await startRedis(['--replicaof', `127.0.0.1 ${redis().server.port}`]))
    try {
      await assertRefused(replica.url, [[/it is a replica/, /primary in REDIS_URL/]])
    } finally {
      await replica.stop()
    }
  })

  it('says that it is a Sentinel', async () => {
    const sentinel = needed(await startSentinel())
    try {
      await assertRefused(sentinel.url, [[/it is a Sentinel/, /the Redis itself in REDIS_URL/]])
    } finally {
      await sentinel.stop()
    }
  })

  it('tells no password that is quoted', async () => {
    const other = needed(await startRedis(['--rename-command', 'AUTH', 'SIGN-IN']))
    try {
      const problems = await problemsOf(accountUrl(other, 'someone', 'a-secret'))
      assert.match(problems[0]?.what ?? '', /does not know a command.*unknown command/)
      assert.doesNotMatch(JSON.stringify(problems), /a-secret/)
    } finally {
      await other.stop()
    }
  })

  it('says that nothing answers', async () => {
    const found = await examine('redis://127.0.0.1:1', prefix)
    assert.equal(found.state, 'away')
  })
})

describe('the examination of a cluster of one node', slow, () => {
  let server: TestServer
  before(async () => {
    server = needed(await startRedis(['--cluster-enabled', 'yes']))
  })
  after(() => server.stop())

  it('says that no node has the keys, and what to do where they are in several slots', async () => {
    const tagged = '{mortise}:'
    assert.match((await problemsOf(server.url, tagged))[0]?.what ?? '', /its cluster is not up/)
    const admin = new Redis(server.url)
    await admin.cluster('ADDSLOTSRANGE', 0, 16_383)
    await until(async () => (await admin.cluster('INFO')).includes('cluster_state:ok'))
    admin.disconnect()
    await assertRefused(server.url, [[/it is a cluster/, /SVC_REDIS_KEY_PREFIX=\{mortise\}: /]])
    assert.equal((await examine(server.url, tagged)).state, 'usable')
  })
})
