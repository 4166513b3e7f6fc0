import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { defineRoute, stream } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { until } from '../support/until.ts'
import { openConnection, type RawConnection } from './raw-connection.ts'
import { startService, type TestService } from './service.ts'

const route = defineRoute({
  name: 'test:thing.read',
  method: 'GET',
  path: '/thing',
  summary: 'A route under test',
  access: 'open',
  handler: async () => {
    await new Promise(setImmediate)
    return 'served'
  },
})

interface Answer {
  readonly status: number
  readonly connection: string | undefined
}

/** Over a connection that is kept, as those of a balancer are. */
async function ask(agent: Agent, url: string): Promise<Answer> {
  const request = get(url, { agent })
  const [response] = await once(request, 'response')
  response.resume()
  await once(response, 'end')
  return { status: response.statusCode, connection: response.headers.connection }
}

/** Sends requests in turns to those that were ready when they were asked last. */
function startBalancer(services: () => readonly TestService[]) {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<TestService>()
  const failures: unknown[] = []
  let served = 0
  let isOver = false

  async function poll() {
    while (!isOver) {
      for (const service of services()) {
        const isReady = await ask(agent, `${service.http.url}/api/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        )
        if (isReady) ready.add(service)
        else ready.delete(service)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function send() {
    for (let turn = 0; !isOver; turn++) {
      const [...targets] = ready
      const target = targets[turn % targets.length]
      if (target === undefined) {
        await new Promise(setImmediate)
        continue
      }
      try {
        const { status } = await ask(agent, `${target.http.url}/api/thing`)
        if (status === 200) served++
        else failures.push(status)
      } catch (error) {
        failures.push(error)
      }
    }
  }

  const ended = Promise.all([poll(), ...Array.from({ length: 8 }, send)])
  return {
    failures,
    ready,
    served: () => served,
    async end() {
      isOver = true
      await ended
      agent.destroy()
    },
  }
}

for (const adapter of adapters) {
  const start = (drainMs: number) =>
    startService({ adapter, routes: [route], env: { SVC_SERVER_DRAIN_MS: String(drainMs) } })

  describe(`a service on ${adapter} that drains`, () => {
    it('is not ready, serves on, and has its clients go elsewhere', async () => {
      const service = await start(60_000)
      const agent = new Agent({ keepAlive: true })
      const hurry = new AbortController()
      const { connection } = await ask(agent, `${service.http.url}/api/thing`)
      assert.notEqual(connection, 'close')
      const drained = service.http.drain(hurry.signal)
      for (let count = 0; count < 3; count++) {
        const answer = await ask(agent, `${service.http.url}/api/thing`)
        assert.deepEqual(answer, { status: 200, connection: 'close' })
      }
      assert.equal((await ask(agent, `${service.http.url}/api/readyz`)).status, 503)
      assert.equal((await ask(agent, `${service.http.url}/api/livez`)).status, 200)
      hurry.abort()
      await drained
      await service.stop()
      agent.destroy()
    })

    it('closes the connection of each answer, also where the request began before', async () => {
      let finish = () => {}
      const isFinished = new Promise<void>((resolve) => {
        finish = resolve
      })
      let begin = () => {}
      const hasBegun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const slow = defineRoute({
        ...{ name: 'test:slow.read', method: 'GET', path: '/slow', summary: 'Slow', access: 'open' },
        async handler() {
          begin()
          await isFinished
          return 'at last'
        },
      })
      const service = await startService({
        adapter,
        routes: [route, slow],
        env: { SVC_SERVER_DRAIN_MS: '60000' },
      })
      const connections = await Promise.all([1, 2, 3].map(() => openConnection(service.http.url)))
      const [early, kept, posting] = connections as [RawConnection, RawConnection, RawConnection]
      early.write('GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n')
      await hasBegun
      kept.write('GET /api/thing HTTP/1.1\r\nhost: x\r\n\r\n')
      assert.doesNotMatch(await kept.read(), /connection: close/i)
      const hurry = new AbortController()
      const drained = service.http.drain(hurry.signal)
      finish()
      kept.write('GET /api/thing HTTP/1.1\r\nhost: x\r\n\r\n')
      posting.write('POST /api/thing HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}')
      for (const connection of connections) {
        assert.match(await connection.readToEnd(), /\r\nconnection: close\r\n/i)
      }
      hurry.abort()
      await drained
      await service.stop()
    })

    it('tells those who get a stream, too', async () => {
      const streamed = defineRoute({
        ...{ name: 'test:file.read', method: 'GET', path: '/file', summary: 'File', access: 'open' },
        handler: ({ rawQuery }) =>
          stream(Readable.from([Buffer.from('abc')]), 'text/plain', rawQuery === 'sized' ? 3 : undefined),
      })
      const service = await startService({
        adapter,
        routes: [streamed],
        env: { SVC_SERVER_DRAIN_MS: '60000' },
      })
      const agent = new Agent({ keepAlive: true })
      const hurry = new AbortController()
      const drained = service.http.drain(hurry.signal)
      for (const query of ['sized', '']) {
        const answer = await ask(agent, `${service.http.url}/api/file?${query}`)
        assert.deepEqual(answer, { status: 200, connection: 'close' })
      }
      hurry.abort()
      await drained
      await service.stop()
      agent.destroy()
    })

    it('does not drain where the time is 0', async () => {
      const service = await start(0)
      await service.http.drain(new AbortController().signal)
      assert.equal((await service.fetch('/readyz')).status, 200)
      await service.stop()
    })

    it('is replaced behind a balancer without a failed request', async () => {
      let running = [await start(500), await start(500)]
      const balancer = startBalancer(() => running)
      await until(async () => balancer.ready.size === 2)
      for (const old of [...running]) {
        const replacement = await start(500)
        running = [...running, replacement]
        await until(async () => balancer.ready.has(replacement))
        await old.http.drain(new AbortController().signal)
        await old.stop()
        running = running.filter((service) => service !== old)
      }
      const before = balancer.served()
      await until(async () => balancer.served() > before + 100)
      await balancer.end()
      assert.deepEqual(balancer.failures, [])
      for (const service of running) await service.stop()
    })
  })
}
