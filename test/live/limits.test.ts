import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  defineRoute,
  type EventChannel,
  type EventWriter,
  eventStream,
  routes,
} from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { adapters } from '../support/adapters.ts'
import { expectStatus } from '../support/client.ts'
import { readEventStream } from '../support/event-stream.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const env = {
  SVC_LIVE_MAX_CLIENTS: '4',
  SVC_LIVE_MAX_CLIENTS_PER_ADDRESS: '3',
  SVC_SERVER_TRUST_PROXY: 'loopback',
}

/** A stream of a client with this address, as a proxy tells it. */
const openFrom = (service: TestService, address: string) =>
  readEventStream(`${service.url}/api/live`, {
    'x-forwarded-for': address,
  })

/** Lets everybody read articles. */
async function openToAll({ admin }: TestService): Promise<void> {
  const roles = (await admin.get('/api/admin/roles')).body.data as { id: number; name: string }[]
  const { id } = roles.find(({ name }) => name === 'public') ?? { id: 0 }
  const permissions = { content: { article: { read: true } }, media: {} }
  expectStatus(await admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
}

/** Writes as fast as the socket takes it, and nothing more. */
class Greedy implements EventWriter {
  channel: EventChannel | undefined
  written = 0
  timesDrained = 0
  isClosed = false
  readonly #bytes = Buffer.alloc(64 * 1024, ':\n')

  opened(channel: EventChannel) {
    this.channel = channel
    this.#fill()
  }

  drained() {
    this.timesDrained += 1
    this.#fill()
  }

  closed() {
    this.isClosed = true
  }

  #fill() {
    // A socket that is read all the time would take bytes without end.
    while (this.channel?.isOpen && !this.channel.isFull && this.written < 64 * 1024 * 1024) {
      this.channel.write(this.#bytes)
      this.written += this.#bytes.length
    }
  }
}

for (const adapter of adapters) {
  describe(`live streams on ${adapter}`, () => {
    it('are limited by address and by process', slow, async () => {
      const service = await startService({ adapter, env })
      try {
        await openToAll(service)
        const three = await Promise.all([1, 2, 3].map(() => openFrom(service, '192.0.2.1')))
        assert.deepEqual(
          three.map(({ status }) => status),
          [200, 200, 200],
        )
        const refused = await openFrom(service, '192.0.2.1')
        assert.equal(refused.status, 429)
        assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
        const other = await openFrom(service, '192.0.2.2')
        assert.equal(other.status, 200)
        const full = await openFrom(service, '192.0.2.3')
        assert.equal(full.status, 503)
        assert.match(full.headers.get('retry-after') ?? '', /^\d+$/)
        await three[0]?.close()
        await until(async () => (await openFrom(service, '192.0.2.1')).status === 200)
      } finally {
        await service.stop()
      }
    })

    it('are sent away when the service stops', async () => {
      const service = await startService({ adapter })
      await openToAll(service)
      const streams = await Promise.all([1, 2, 3].map(() => openFrom(service, '')))
      await Promise.all(streams.map((stream) => stream.told('ready')))
      await service.stop()
      for (const stream of streams) {
        const { retry } = await stream.told('goaway')
        assert.ok(Number(retry) >= 1_000 && Number(retry) <= 5_000)
        await until(() => stream.isClosed())
      }
    })

    it('tell whoever writes them when the reader does not keep up, and when it does again', async () => {
      const writer = new Greedy()
      const greedyPlugin = definePlugin({
        ...{ name: 'greedy', description: 'Writes as much as a reader takes' },
        init({ contribute }) {
          const route = defineRoute({
            ...{ name: 'greedy:stream.read', method: 'GET', path: '/greedy', summary: 'All', access: 'open' },
            rawResponse: 'text/event-stream',
            handler: () => eventStream(writer),
          })
          contribute(routes, route)
        },
      })
      const service = await startService({ adapter, plugins: [greedyPlugin] })
      try {
        const aborting = new AbortController()
        const response = await fetch(`${service.url}/api/greedy`, { signal: aborting.signal })
        await until(() => writer.channel?.isFull === true)
        assert.ok(writer.written < 32 * 1024 * 1024, `${writer.written} bytes were taken`)
        const reader = response.body?.getReader()
        for (let bytes = 0; bytes < 16 * 1024 * 1024; ) bytes += (await reader?.read())?.value?.length ?? 0
        assert.ok(writer.timesDrained > 0)
        aborting.abort()
        await until(() => writer.isClosed)
        writer.channel?.write(Buffer.from(':\n\n'))
        writer.channel?.end()
        writer.channel?.cut()
      } finally {
        await service.stop()
      }
    })
  })
}
