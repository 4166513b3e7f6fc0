import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRedisKeeper } from '../../core-plugins/foundation/redis/keeper.ts'
import { createSignals } from '../../core-plugins/foundation/signals/create-signals.ts'
import { openDatabaseTransport } from '../../core-plugins/foundation/signals/database-transport.ts'
import { openRedisTransport } from '../../core-plugins/foundation/signals/redis-transport.ts'
import { type Signals, signalsService } from '../../core-plugins/foundation/signals/signals.ts'
import type { OpenTransport } from '../../core-plugins/foundation/signals/transport.ts'
import { silentLog } from '../../kernel/index.ts'
import { databasesUnderTest, runOnPostgres, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { openUrl } from '../support/open-test-database.ts'
import { redisEnv, withRedis } from '../support/redis.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const postgres = (await databasesUnderTest()).find(({ name }) => name === 'postgres')

/** Counts the signals of a topic that a process hears. */
function counter(signals: Signals, topic: string) {
  let count = 0
  const stop = signals.onSignal(topic, () => {
    count++
  })
  return {
    stop,
    get count() {
      return count
    },
  }
}

/** What every way of passing signals on must do. */
function declareSignals(start: () => Promise<[TestService, TestService]>) {
  let services: [TestService, TestService]
  let here: Signals
  let there: Signals
  before(async () => {
    services = await start()
    here = services[0].kernel.get(signalsService)
    there = services[1].kernel.get(signalsService)
    await until(async () => here.isConnected && there.isConnected)
  })
  after(() => Promise.all(services.map((service) => service.stop())))

  it('are heard by others who listen to the topic, and not by the sender', async () => {
    const heard = counter(there, 'news')
    const other = counter(there, 'weather')
    const own = counter(here, 'news')
    here.send('news')
    await until(async () => heard.count > 0)
    there.send('news')
    await until(async () => own.count > 0)
    assert.deepEqual([heard.count, other.count, own.count], [1, 0, 1])
  })

  it('are not heard any more by those who have stopped to listen', async () => {
    const stopped = counter(there, 'stopped')
    const heard = counter(there, 'stopped')
    stopped.stop()
    here.send('stopped')
    await until(async () => heard.count > 0)
    assert.equal(stopped.count, 0)
  })

  it('become few where many are sent, and one follows the last', async () => {
    const heard = counter(there, 'many')
    for (let sent = 0; sent < 1000; sent++) here.send('many')
    const last = counter(there, 'last')
    here.send('last')
    await until(async () => heard.count > 1 && last.count > 0)
    assert.equal(heard.count, 2)
  })

  it('reach those who come after a listener that throws', async () => {
    there.onSignal('broken', () => {
      throw new Error('broken on purpose')
    })
    const heard = counter(there, 'broken')
    here.send('broken')
    await until(async () => heard.count > 0)
  })
}

describe('signals over PostgreSQL', { skip: postgres === undefined }, () => {
  let shared: TestDatabase
  before(async () => {
    if (postgres !== undefined) shared = await postgres.createUrl()
  })
  after(() => shared.drop())
  const start = (env: Record<string, string> = {}) => startService({ database: { url: shared.url }, env })

  declareSignals(async () => [await start(), await start()])

  describe('beside a Redis that does not answer', () => {
    declareSignals(async () => {
      const env = redisEnv(`redis://127.0.0.1:${await freePort()}`)
      return [await start(env), await start(env)]
    })
  })

  it('come back after the connection was lost, and everybody looks at what was missed', async () => {
    const service = await start()
    const signals = service.kernel.get(signalsService)
    await until(async () => signals.isConnected)
    const heard = counter(signals, 'missed')
    await runOnPostgres(
      shared.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'mortise notifications'`,
    )
    await until(async () => heard.count > 0 && signals.isConnected)
    await service.stop()
  })
})

/** Short enough for a test to wait for. */
const timing = { tickMs: 20, everyMs: 50, patienceMs: 100, restartAfterMs: 200 }

/** A connection that stands and carries nothing looks like silence. */
async function declareSilence(open: OpenTransport, proxy: TcpProxy) {
  const { signals, stop } = await createSignals(open, silentLog, timing)
  try {
    await until(async () => signals.isConnected)
    const heard = counter(signals, 'missed')
    proxy.freeze()
    await until(async () => !signals.isConnected)
    await proxy.mend()
    await until(async () => signals.isConnected && heard.count > 0)
  } finally {
    stop()
  }
}

describe('signals over PostgreSQL in silence', { skip: postgres === undefined }, () => {
  it('notice that nothing comes through, and connect anew', async () => {
    if (postgres === undefined) return
    const created = await postgres.createUrl()
    const url = new URL(created.url)
    const proxy = await startTcpProxy(Number(url.port || 5432))
    url.port = String(proxy.port)
    const driver = await openUrl(url.href)
    try {
      assert.ok(driver.notifications)
      await declareSilence(openDatabaseTransport(driver.notifications), proxy)
    } finally {
      await driver.close()
      await proxy.close()
      await created.drop()
    }
  })
})

withRedis('signals over Redis', (url) => {
  it('notice that nothing comes through, and connect anew', async () => {
    const proxy = await startTcpProxy(Number(new URL(url).port || 6379))
    const keyPrefix = `silence-${process.pid}:`
    const redis = createRedisKeeper({
      url: `redis://127.0.0.1:${proxy.port}`,
      keyPrefix,
      log: silentLog,
      onProblems: () => undefined,
    })
    redis.start()
    try {
      await declareSilence(openRedisTransport(redis), proxy)
    } finally {
      await redis.stop()
      await proxy.close()
    }
  })

  declareSignals(async () => {
    const env = redisEnv(url)
    return [await startService({ env }), await startService({ env })]
  })

  it('go over PostgreSQL alone while Redis is gone', { skip: postgres === undefined }, async () => {
    if (postgres === undefined) return
    const shared = await postgres.createUrl()
    const proxy = await startTcpProxy(Number(new URL(url).port || 6379))
    const env = redisEnv(`redis://127.0.0.1:${proxy.port}`)
    const services = await Promise.all([0, 1].map(() => startService({ database: { url: shared.url }, env })))
    const [here, there] = services.map(({ kernel }) => kernel.get(signalsService)) as [Signals, Signals]
    try {
      await until(() => here.isConnected && there.isConnected)
      await proxy.cut()
      const heard = counter(there, 'news')
      await until(() => {
        here.send('news')
        return heard.count > 0
      })
      assert.ok(there.isConnected)
    } finally {
      for (const service of services) await service.stop()
      await proxy.close()
      await shared.drop()
    }
  })

  describe('while Redis is gone', () => {
    let proxy: TcpProxy
    let service: TestService
    before(async () => {
      proxy = await startTcpProxy(Number(new URL(url).port || 6379))
      service = await startService({ env: redisEnv(`redis://127.0.0.1:${proxy.port}`) })
    })
    after(async () => {
      await service.stop()
      await proxy.close()
    })

    it('say so, and come back by themselves', async () => {
      const signals = service.kernel.get(signalsService)
      await until(async () => signals.isConnected)
      const heard = counter(signals, 'missed')
      await proxy.cut()
      await until(async () => !signals.isConnected)
      signals.send('nobody hears this')
      assert.equal((await service.get('/api/readyz')).status, 200)
      await proxy.mend()
      await until(async () => heard.count > 0 && signals.isConnected)
    })
  })

  it('do not hold up the start', async () => {
    const env = redisEnv(`redis://127.0.0.1:${await freePort()}`)
    const service = await startService({ env })
    assert.equal(service.kernel.get(signalsService).isConnected, false)
    assert.equal((await service.get('/api/readyz')).status, 200)
    await until(() => service.logLines.some(({ message }) => message.startsWith('Redis cannot be reached')))
    await service.stop()
  })

  it('need an address that is one', async () => {
    for (const REDIS_URL of [
      'secret-nonsense',
      'redis://:secret-%nonsense@localhost',
      'redis://secret-%ff@localhost',
    ]) {
      await assert.rejects(startService({ env: { REDIS_URL } }), (error: Error) => {
        assert.match(error.message, /REDIS_URL: is not the address of a Redis.*% is %25/s)
        assert.doesNotMatch(error.message, /secret-|nonsense/)
        return true
      })
    }
  })
})

describe('signals without anything to pass them on', slow, () => {
  it('are not connected', async () => {
    const service = await startService()
    const signals = service.kernel.get(signalsService)
    assert.equal(signals.isConnected, false)
    signals.send('nobody hears this')
    await service.stop()
  })
})
