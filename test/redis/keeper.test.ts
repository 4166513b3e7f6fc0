import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { inspect } from 'node:util'
import pino from 'pino'
import { createBullmqDispatch } from '../../core-plugins/background/jobs/bullmq-dispatch.ts'
import type { Dispatch } from '../../core-plugins/background/jobs/dispatch.ts'
import type { Runner } from '../../core-plugins/background/jobs/runner.ts'
import { createRedisKeeper, type RedisKeeper } from '../../core-plugins/foundation/redis/keeper.ts'
import type { RedisProblem } from '../../core-plugins/foundation/redis/redis.ts'
import { type LogLine, recordingLog } from '../support/recording-log.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { type OwnRedis, withOwnRedis } from './own-redis.ts'

/** Longer than any examination takes. */
const longMs = 60_000
const everything = ['~*', '&*', '+@all']

/** Uses a Redis, and keeps what it tells. */
function keep(url: string) {
  const { log, lines } = recordingLog()
  const told: (readonly RedisProblem[])[] = []
  const keeper = createRedisKeeper({
    ...{ url, keyPrefix: 'mortise:', log },
    onProblems: (problems) => void told.push(problems),
  })
  keeper.start()
  return { keeper, log, lines, told }
}

const messages = (lines: readonly LogLine[], start: string) =>
  lines.filter(({ level, message }) => level !== 'debug' && message.startsWith(start))

/** Tickets that are announced to a runner that does nothing but count. */
function dispatchOver(redis: RedisKeeper, log: ReturnType<typeof recordingLog>['log']) {
  const counts = { looked: 0, byOthers: 0 }
  const fallback: Dispatch = {
    announce: () => void counts.byOthers++,
    serve: () => undefined,
    stop: async () => undefined,
  }
  const nothing = async () => undefined
  const runner: Runner = {
    ...{ start: () => undefined, wake: () => undefined, cancel: () => undefined },
    ...{ hasRoom: nothing, stop: nothing, drain: nothing },
    async look() {
      counts.looked++
      return false
    },
  }
  const dispatch = createBullmqDispatch({ redis, fallback, log })
  dispatch.serve(runner)
  return { dispatch, counts }
}

/** How many commands were refused while this connection has asked as often. */
async function refusedDuring({ admin }: OwnRedis, pings: number): Promise<number> {
  await admin.config('RESETSTAT')
  for (let sent = 0; sent < pings; sent++) await admin.ping()
  const stats = await admin.info('commandstats')
  const counts = [...stats.matchAll(/(?:rejected|failed)_calls=(\d+)/g)].map(([, count]) => Number(count))
  return counts.reduce((sum, count) => sum + count, 0)
}

withOwnRedis('Redis that refuses scripts', (redis) => {
  it('is left alone, which is said once, and used when it takes them', async () => {
    const url = await redis().account('plain', [...everything, '-@scripting'])
    const { keeper, lines, told } = keep(url)
    let uses = 0
    keeper.use(() => {
      uses++
      return () => undefined
    })
    try {
      await keeper.settled(longMs)
      assert.ok((await refusedDuring(redis(), 5_000)) < 100)
      assert.equal(uses, 0)
      await until(async () => (await rejected(redis())) > 0, 'it was examined again')
      const [warning, ...more] = messages(lines, 'Redis is not used')
      assert.match(warning?.message ?? '', /may not run EVAL, EVALSHA, SCRIPT; give the account the rights/)
      assert.deepEqual([warning?.level, more], ['warn', []])

      await redis().account('plain', everything)
      await until(() => uses === 1)
      assert.equal(messages(lines, 'Redis is used again').length, 1)
      assert.deepEqual(
        told.map((problems) => problems.length),
        [1, 0],
      )
    } finally {
      await keeper.stop()
    }
  })
})

async function rejected({ admin }: OwnRedis): Promise<number> {
  return Number(/cmdstat_eval:.*rejected_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0)
}

/** How a Redis that is in use comes to refuse what it has taken so far, and takes it again. */
const changes: Readonly<
  Record<string, { begin(redis: OwnRedis): unknown; end(redis: OwnRedis): unknown; says: RegExp }>
> = {
  'loses the right to scripts': {
    begin: ({ admin }) => admin.acl('SETUSER', 'worker', '-@scripting'),
    end: ({ admin }) => admin.acl('SETUSER', 'worker', '+@scripting'),
    says: /may not run EVAL/,
  },
  'loses the right to INFO': {
    begin: ({ admin }) => admin.acl('SETUSER', 'worker', '-info', '-publish', '-evalsha'),
    end: ({ admin }) => admin.acl('SETUSER', 'worker', '+info', '+publish', '+evalsha'),
    says: /may not run INFO, EVALSHA, PUBLISH/,
  },
  'becomes a replica': {
    begin: ({ admin }) => admin.replicaof('127.0.0.1', 1),
    end: ({ admin }) => admin.replicaof('NO', 'ONE'),
    says: /is a replica/,
  },
  'has no memory left': {
    begin: ({ admin }) => admin.config('SET', 'maxmemory', '1'),
    end: ({ admin }) => admin.config('SET', 'maxmemory', '0'),
    says: /memory is full/,
  },
}

withOwnRedis('Redis in use', (redis) => {
  let kept: ReturnType<typeof keep>
  let tickets: ReturnType<typeof dispatchOver>
  before(async () => {
    kept = keep(await redis().account('worker', everything))
    tickets = dispatchOver(kept.keeper, kept.log)
  })
  after(async () => {
    await tickets.dispatch.stop()
    await kept.keeper.stop()
  })

  /** Announces work until a ticket has arrived. */
  async function untilServed() {
    const before = tickets.counts.looked
    await until(() => {
      tickets.dispatch.announce(1)
      return tickets.counts.looked > before
    }, 'a ticket arrives')
  }

  for (const [name, { begin, end, says }] of Object.entries(changes)) {
    it(`that ${name} is left alone until it takes everything again`, async () => {
      await untilServed()
      const linesBefore = kept.lines.length
      const said = () => messages(kept.lines.slice(linesBefore), 'Redis is not used')
      await begin(redis())
      await until(() => {
        tickets.dispatch.announce(1)
        return said().length > 0
      }, 'it is told')
      assert.match(said()[0]?.message ?? '', says)
      assert.ok((await refusedDuring(redis(), 5_000)) < 100)
      const byOthers = tickets.counts.byOthers
      tickets.dispatch.announce(1)
      await until(() => tickets.counts.byOthers > byOthers, 'it is announced otherwise')
      await end(redis())
      await untilServed()
      assert.equal(said().length, 1)
      assert.equal(messages(kept.lines.slice(linesBefore), 'Redis is used again').length, 1)
      assert.deepEqual(kept.told.at(-1), [])
    })
  }
})

withOwnRedis('The password of Redis', (redis) => {
  let proxy: TcpProxy
  before(async () => {
    proxy = await startTcpProxy(redis().server.port)
  })
  after(() => proxy.close())

  const accountBehindProxy = async () => {
    const url = new URL(await redis().account('secretive', everything))
    url.port = String(proxy.port)
    return url
  }

  /** All that a log writes of an error. */
  const textOf = (lines: readonly LogLine[]) =>
    lines
      .map(({ err, ...line }) => inspect([line, pino.stdSerializers.err(err as Error)], { depth: 9 }))
      .join('\n')

  it('is not logged while a proxy takes connections for a Redis that is not there', async () => {
    const url = await accountBehindProxy()
    proxy.slam()
    const kept = keep(url.href)
    try {
      await until(() => messages(kept.lines, 'Redis cannot be reached').length > 0)
      await proxy.mend()
      const tickets = dispatchOver(kept.keeper, kept.log)
      await kept.keeper.settled(longMs)
      await until(() => messages(kept.lines, 'Redis is back').length > 0)
      proxy.slam()
      await until(() => messages(kept.lines, 'Redis cannot be reached').length > 1)
      assert.ok(!textOf(kept.lines).includes(url.password))
      await tickets.dispatch.stop()
    } finally {
      await kept.keeper.stop()
      await proxy.mend()
    }
  })

  it('is not logged when it is not accepted any more', async () => {
    const url = await accountBehindProxy()
    const kept = keep(url.href)
    const tickets = dispatchOver(kept.keeper, kept.log)
    try {
      await kept.keeper.settled(longMs)
      await redis().admin.acl('SETUSER', 'secretive', 'resetpass', '>another')
      await redis().admin.client('KILL', 'TYPE', 'normal')
      await until(() => messages(kept.lines, 'Redis is not used').length > 0)
      assert.ok(!textOf(kept.lines).includes(url.password))
    } finally {
      await tickets.dispatch.stop()
      await kept.keeper.stop()
    }
  })
})
