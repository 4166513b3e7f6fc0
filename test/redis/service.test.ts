import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { it } from 'node:test'
import type { Redis } from 'ioredis'
import { examine } from '../../core-plugins/foundation/redis/examine.ts'
import { type JobsWorld, startJobsWorld, testKind } from '../jobs/jobs-world.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { documentedAccount, withOwnRedis } from './own-redis.ts'

/** The names of all commands that were run, also by scripts. */
async function commandsRun(admin: Redis): Promise<Set<string>> {
  const stats = await admin.info('commandstats')
  return new Set(
    [...stats.matchAll(/^cmdstat_([a-z|]+):/gm)].map(([, name = '']) => name.replace(/\|.*/, '')),
  )
}

/** What a connection begins with, and what the test itself asks for. */
const ofConnections = ['auth', 'info', 'config', 'client', 'acl', 'unsubscribe', 'quit']

withOwnRedis('a service with the account of docs/redis.md', (redis) => {
  it('runs jobs and shares the rate limit, and needs no command that is not examined', async () => {
    const url = await redis().setUser(documentedAccount())
    const env = { REDIS_URL: url, SVC_RATE_LIMIT_ENABLED: 'true', SVC_RATE_LIMIT_MAX: '1000' }
    assert.equal((await examine(url, 'mortise:')).state, 'usable')
    const examined = await commandsRun(redis().admin)
    await redis().admin.config('RESETSTAT')
    const kind = testKind('test.shared')
    const worlds = [await startJobsWorld([kind], { env }), await startJobsWorld([kind], { env })] as const
    try {
      const [here, there] = worlds
      await untilDispatched(here, kind, redis().admin)
      const remaining = async ({ get }: JobsWorld) =>
        Number((await get('/api/nowhere')).headers.get('ratelimit-remaining'))
      await until(async () => {
        const left = await remaining(here)
        return (await remaining(there)) === left - 1
      }, 'they count together')
      for (const { logLines } of worlds) {
        assert.deepEqual(
          logLines.filter(({ message }) => /^Redis is (not )?used/.test(message)),
          [],
        )
      }
    } finally {
      for (const world of worlds) await world.stop()
    }
    const known = new Set([...examined, ...ofConnections])
    assert.deepEqual(
      [...(await commandsRun(redis().admin))].filter((name) => !known.has(name)),
      [],
    )
  })
})

/** Makes jobs until one was announced by a ticket. */
async function untilDispatched(world: JobsWorld, { kind }: ReturnType<typeof testKind>, admin: Redis) {
  await until(async () => {
    const id = await world.inTransaction((tx) => world.jobs.enqueue(tx, kind, {}))
    assert.equal((await world.jobs.finished(id)).status, 'completed')
    return (await commandsRun(admin)).has('zpopmin') || (await commandsRun(admin)).has('rpoplpush')
  }, 'tickets are taken')
}

withOwnRedis('a process whose Redis refuses INFO', (redis) => {
  it('starts without it, says why, raises an alert while it cannot be used, and ends when told to', () =>
    withProject({}, async (project) => {
      const url = await redis().account('safe', ['~*', '&*', '+@all', '-@dangerous'])
      const service = startProcess({ project, env: { REDIS_URL: url } })
      const admin = await service.signIn()
      const alerts = async () => {
        const { body } = await admin.get('/api/admin/operational-alerts?kind=redis_refused')
        return body.data as { status: string; message: string }[]
      }
      await until(async () => (await alerts()).length === 1)
      assert.match((await alerts())[0]?.message ?? '', /may not run INFO; give the account/)
      await redis().account('safe', ['~*', '&*', '+@all'])
      await until(async () => (await alerts())[0]?.status === 'resolved')

      await redis().account('safe', ['~*', '&*', '+@all', '-@dangerous'])
      await redis().admin.client('KILL', 'USER', 'safe')
      await until(async () => (await alerts())[0]?.status === 'open')
      const output = service.output()
      assert.match(output, /Redis is not used: the account may not run INFO/)
      assert.match(output, /Redis is used again/)
      assert.doesNotMatch(output, /ready check|IMPORTANT|a-password/)
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    }))

  it('ends while it starts', () =>
    withProject({}, async (project) => {
      const url = await redis().account('safe', ['~*', '&*', '+@all', '-@dangerous'])
      const service = startProcess({ project, env: { REDIS_URL: url } })
      await service.writes('Redis is not used')
      assert.equal((await service.end('SIGTERM')).code, 0)
    }))
})

it('a process whose Redis accepts connections and answers nothing ends while it starts', slow, () =>
  withProject({}, async (project) => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
    })
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    try {
      const service = startProcess({ project, env: { REDIS_URL: `redis://127.0.0.1:${port}` } })
      await Promise.race([once(silent, 'connection'), service.exited])
      assert.equal((await service.end('SIGTERM')).code, 0)
    } finally {
      for (const socket of sockets) socket.destroy()
      silent.close()
    }
  }),
)
