import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authService } from '../../core-plugins/accounts/auth/auth.ts'
import { Clients } from '../../core-plugins/delivery/live/clients.ts'
import { Hub } from '../../core-plugins/delivery/live/hub.ts'
import { keepClients } from '../../core-plugins/delivery/live/keep-clients.ts'
import { StreamClient } from '../../core-plugins/delivery/live/stream-client.ts'
import { TypesTopic } from '../../core-plugins/delivery/live/types-topic.ts'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { contentService } from '../../core-plugins/entries/content/content.ts'
import type { EventChannel, Principal } from '../../core-plugins/foundation/http/http.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { expectStatus } from '../support/client.ts'
import { recordingLog } from '../support/recording-log.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A socket that is full when the test says so. Systems buffer megabytes, which few events of few bytes never fill. */
class Socket implements EventChannel {
  isOpen = true
  isFull = false
  readonly texts: string[] = []
  becomesFull = false
  readonly #client: StreamClient

  constructor(client: StreamClient) {
    this.#client = client
  }

  write(bytes: Uint8Array) {
    assert.equal(this.isFull, false, 'nothing is written to a full socket')
    this.texts.push(Buffer.from(bytes).toString())
    this.isFull = this.becomesFull
  }

  drain() {
    this.isFull = false
    this.becomesFull = false
    this.#client.drained()
  }

  end() {
    this.cut()
  }

  cut() {
    this.isOpen = false
    this.#client.closed()
  }

  get events(): string[] {
    return [...this.texts.join('').matchAll(/^event: (.*)$/gm)].map(([, event = '']) => event)
  }

  /** Up to where it was told, in the log. */
  get cursor(): string {
    return /^id: (.*)$/m.exec(this.texts.at(-1) ?? '')?.[1] ?? ''
  }

  get refs(): number[] {
    return [...this.texts.join('').matchAll(/^data: (.*)$/gm)].flatMap(([, data = '{}']) =>
      (JSON.parse(data).refs ?? []).map(({ id }: { id: number }) => id),
    )
  }
}

const superAdmin: Principal = { kind: 'admin', id: 1, username: 'admin', role: 'super-admin' }

let service: TestService
let clients: Clients
let hub: Hub

async function open(cursor?: string): Promise<Socket> {
  const cursorOf = (position: number) => service.kernel.get(changeLogService).cursorOf(position)
  const topic = new TypesTopic(new Set(['article']), false, cursorOf)
  const client = new StreamClient(
    { address: 'a', credential: undefined, topic },
    { live: hub, cursorOf },
    { principal: superAdmin, cursor },
  )
  const socket = new Socket(client)
  client.opened(socket)
  await until(() => socket.texts.length > 0)
  return socket
}

let count = 0
async function newArticle(): Promise<number> {
  count += 1
  const answer = await service.admin.post('/api/content/article', { title: 'One', slug: `one-${count}` })
  return expectStatus(answer, 201).body.data.id
}

describe('a slow reader of live events', () => {
  before(async () => {
    service = await startService()
    const { kernel } = service
    clients = new Clients({ ofProcess: () => 100, ofAddress: () => 100 })
    hub = new Hub({
      ...{ auth: kernel.get(authService), changes: kernel.get(changeLogService), clients },
      ...{ content: kernel.get(contentService), schemas: kernel.get(schemasService) },
      ...{ isRestricted: () => false, log: recordingLog().log },
    })
  })
  after(() => service.stop())

  it(
    'holds nothing for who does not keep up, and tells them afterwards what they have missed, once',
    slow,
    async () => {
      const [slow, quick] = [await open(), await open()]
      slow.becomesFull = true
      const ids = [await newArticle()]
      await until(() => slow.isFull)
      for (let round = 0; round < 5; round++) {
        const id = await newArticle()
        ids.push(id)
        await until(() => quick.refs.includes(id))
      }
      assert.deepEqual(slow.refs, ids.slice(0, 1))
      slow.drain()
      await until(() => slow.refs.length === ids.length)
      assert.equal(slow.events.length, 3)
      ids.push(await newArticle())
      await until(() => slow.refs.length === ids.length && quick.refs.length === ids.length)
      assert.deepEqual([slow.refs, quick.refs], [ids, ids])
      slow.cut()
      quick.cut()
    },
  )

  it('greets those who come back and tells them what they have missed in one piece', async () => {
    const follower = await open()
    const { cursor } = follower
    const ids = [await newArticle(), await newArticle()]
    await until(() => follower.refs.length === ids.length)
    const resumed = await open(cursor)
    assert.equal(resumed.texts.length, 1)
    assert.deepEqual([resumed.events, resumed.refs], [['ready', 'change'], ids])
    follower.cut()
    resumed.cut()
  })

  it('has them begin anew where they have missed too much', slow, async () => {
    const slow = await open()
    slow.becomesFull = true
    await newArticle()
    await until(() => slow.isFull)
    const ids = await Promise.all(Array.from({ length: 100 }, newArticle))
    for (let round = 0; round < 11; round++) {
      const data = { title: `round ${round}` }
      expectStatus(await service.admin.patch('/api/content/article/bulk-update', { ids, data }), 200)
    }
    const quick = await open()
    await newArticle()
    // Together with the updates it may be one of too many entries to be named.
    const log = service.kernel.get(changeLogService)
    const place = await log.head()
    await until(() => (log.positionIn(quick.cursor) ?? 0) >= place)
    slow.drain()
    await until(() => slow.events.length === 3)
    assert.deepEqual(slow.events, ['ready', 'change', 'restart'])
    const next = await newArticle()
    await until(() => slow.refs.includes(next))
    slow.cut()
    quick.cut()
  })

  it('gives signs of life to those who keep up, and lets go of those who do not for half a minute', async (test) => {
    const [slow, quick] = [await open(), await open()]
    slow.becomesFull = true
    await newArticle()
    await until(() => slow.isFull && quick.texts.length === 2)
    const auth = service.kernel.get(authService)
    for (let second = 0; second < 25; second++) await keepClients({ auth, clients, hub })
    assert.deepEqual([slow.texts.length, quick.texts.at(-1)], [2, ':\n\n'])
    assert.equal(slow.isOpen, true)
    const now = performance.now()
    test.mock.method(performance, 'now', () => now + 31_000)
    await keepClients({ auth, clients, hub })
    assert.deepEqual([slow.isOpen, quick.isOpen, clients.size], [false, true, 1])
    quick.cut()
  })
})
