import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import {
  type WebhookEvents,
  webhookEvents,
  webhookEventsService,
} from '../../core-plugins/administration/webhooks/webhooks.ts'
import { type Database, databaseService } from '../../core-plugins/foundation/database/database.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject } from '../support/project.ts'
import { startService } from '../support/service.ts'
import {
  dataOf,
  hasty,
  logged,
  logsOf,
  schemas,
  useWebhooks,
  withReceiver,
  withWebhook,
} from './webhooks-world.ts'

const paid = Type.Object(
  { order: Type.Integer(), note: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

/** Declares events, and hands its services to the tests. */
function createShop() {
  const parts = {} as { database: Database; events: WebhookEvents }
  const shop = definePlugin({
    name: 'shop',
    description: 'Sells.',
    uses: { database: databaseService, events: webhookEventsService },
    register({ contribute }) {
      contribute(webhookEvents, { name: 'shop.order-paid', description: 'An order was paid', payload: paid })
      contribute(webhookEvents, {
        ...{ name: 'shop.note-sold', description: 'A note was sold', payload: paid, contentType: 'note' },
      })
    },
    init({ services }) {
      Object.assign(parts, services)
    },
  })
  const emit = (event: string, data: unknown, options?: { entryId: number }) =>
    parts.database.transaction((tx) => parts.events.emit(tx, event, data, options))
  return { parts, emit, plugin: mountPlugin(shop, { space: 'shop', listenerTimeoutMs: 1_000 }) }
}

async function withToken(admin: Client, url: string, ...scopes: string[]): Promise<Client> {
  const { token } = dataOf(await admin.post('/api/admin/api-tokens', { name: scopes.join(), scopes }), 201)
  return createClient(url, token)
}

eachDatabase(({ name: database }) => {
  const shop = createShop()
  const world = useWebhooks({ database, plugins: [shop.plugin] })
  const { emit } = shop

  it('arrive signed and in order, with what was emitted', async () => {
    await withReceiver(async (receiver) => {
      const fields = { url: receiver.url, events: ['shop.order-paid', 'entry.create'], secret: 'a secret' }
      await withWebhook(world.admin, { ...fields, content_types: ['note'] }, async (id) => {
        for (let order = 1; order <= 5; order++) await emit('shop.order-paid', { order, note: 'é' })
        const received = await receiver.gets(5)
        assert.deepEqual(
          received.map(({ body }) => body.data),
          [1, 2, 3, 4, 5].map((order) => ({ order, note: 'é' })),
        )
        assert.equal(received[0]?.headers['x-webhook-event'], 'shop.order-paid')
        assert.ok(received[0]?.headers['x-webhook-signature'])
        assert.deepEqual(Object.keys(received[0]?.body), ['event', 'data', 'id', 'timestamp', 'webhookId'])
        const [delivery] = await logged(world.admin, id, 'delivered', 5)
        assert.equal(delivery.payload.event, 'shop.order-paid')
      })
    })
  })

  it('are tried again until they arrive', async () => {
    let count = 0
    await withReceiver(
      async ({ url, gets }) => {
        await withWebhook(world.admin, { url, events: ['shop.order-paid'] }, async (id) => {
          await emit('shop.order-paid', { order: 1 })
          await gets(3)
          const [delivery] = await logged(world.admin, id, 'delivered')
          assert.equal(delivery.attempt, 3)
        })
      },
      (_, response) => response.writeHead(++count < 3 ? 500 : 200).end(),
    )
  })

  it('are not told where the transaction is rolled back', async () => {
    await withReceiver(async ({ url, gets }) => {
      await withWebhook(world.admin, { url, events: ['shop.order-paid'] }, async (id) => {
        const { database: on, events } = shop.parts
        await assert.rejects(
          on.transaction(async (tx) => {
            await events.emit(tx, 'shop.order-paid', { order: 1 })
            throw new Error('no')
          }),
        )
        await emit('shop.order-paid', { order: 2 })
        assert.deepEqual((await gets(1))[0]?.body.data, { order: 2 })
        assert.equal((await logsOf(world.admin, id)).length, 1)
      })
    })
  })
})

describe('webhook events of plugins', () => {
  const shop = createShop()
  const world = useWebhooks({ plugins: [shop.plugin] })
  const { emit } = shop

  it('are refused as the plugin’s error where they are not what was declared', async () => {
    const cyclic: Record<string, unknown> = { order: 1 }
    cyclic.self = cyclic
    for (const [event, data, message] of [
      ['shop.nothing', {}, /no plugin declares the webhook event shop\.nothing/],
      ['entry.create', {}, /no plugin declares/],
      ['shop.order-paid', { order: 'one' }, /order must be/],
      ['shop.order-paid', { order: 1, more: 2 }, /more/],
      ['shop.order-paid', undefined, /are no JSON/],
      ['shop.order-paid', cyclic, /circular/i],
      ['shop.order-paid', { order: 1, note: 'x'.repeat(2_000_000) }, /more than 1048576 bytes/],
    ] as const) {
      await assert.rejects(emit(event, data), message)
    }
  })

  it('are told to webhooks whose makers may know of them', async () => {
    await withReceiver(async ({ url, gets }) => {
      const hooks = await withToken(
        world.admin,
        world.service.url,
        'webhooks:write',
        'webhooks:read',
        'content:read',
      )
      const notes = await withToken(
        ...([world.admin, world.service.url] as const),
        ...['webhooks:write', 'webhooks:read', 'content:read', 'content:write'],
      )
      const namesFor = async (client: Client) =>
        dataOf(await client.get('/api/webhooks/events'))
          .map(({ name }: { name: string }) => name)
          .filter((name: string) => name.startsWith('shop.'))
      assert.deepEqual(await namesFor(world.admin), ['shop.order-paid', 'shop.note-sold'])
      assert.deepEqual(await namesFor(notes), ['shop.note-sold'])
      const webhook = { name: 'a', url, events: ['shop.order-paid', 'shop.note-sold', 'nope'] }
      const refused = expectStatus(await notes.post('/api/webhooks', webhook), 400)
      assert.deepEqual(
        refused.body.error.details.map(({ path }: { path: string }) => path),
        ['events.0', 'events.2'],
      )
      expectStatus(await hooks.post('/api/webhooks', { ...webhook, events: ['shop.order-paid'] }), 400)
      expectStatus(await createClient(world.service.url).get('/api/webhooks/events'), 401)
      await withWebhook(world.admin, { url, events: ['shop.order-paid', 'shop.note-sold'] }, async (id) => {
        // The token becomes the maker, and may know of notes only.
        expectStatus(await notes.put(`/api/webhooks/${id}`, { url: `${url}/other` }), 200)
        await emit('shop.order-paid', { order: 1 })
        await emit('shop.note-sold', { order: 2 }, { entryId: 7 })
        assert.deepEqual((await gets(1))[0]?.body.data, { order: 2 })
        assert.equal((await logsOf(world.admin, id)).length, 1)
      })
    })
  })

  it('describe their payloads', async () => {
    const [first] = dataOf(await world.admin.get('/api/webhooks/events')).filter(
      ({ name }: { name: string }) => name === 'shop.order-paid',
    )
    assert.equal(first.description, 'An order was paid')
    assert.equal(first.payload.properties.order.type, 'integer')
  })
})

describe('a webhook whose plugin is off', () => {
  let project: Awaited<ReturnType<typeof createProject>>
  before(async () => {
    project = await createProject({ schemas, env: hasty })
  })
  after(() => project.remove())

  it('keeps its events and names them as unknown', async (test) => {
    const url = project.env.DATABASE_URL ?? ''
    const first = await startService({ schemas, database: { url }, plugins: [createShop().plugin] })
    const events = ['entry.create', 'shop.order-paid']
    const made = await first.admin.post('/api/webhooks', { name: 'a', url: 'http://127.0.0.1:9', events })
    const { id, unknown_events: before } = dataOf(made, 201)
    assert.deepEqual(before, [])
    await first.kernel.stop()
    const second = await startService({ schemas, database: { url } })
    test.after(() => second.stop())
    const { data } = (await second.admin.get(`/api/webhooks/${id}`)).body
    assert.deepEqual([data.events, data.unknown_events], [events, ['shop.order-paid']])
    const path = `/api/webhooks/${id}`
    const changed = expectStatus(await second.admin.put(path, { ...data, url: 'http://127.0.0.1:10' }), 200)
    assert.deepEqual(changed.body.data.events, events)
    expectStatus(await second.admin.put(path, { events: ['shop.other'] }), 400)
    expectStatus(
      await second.admin.post('/api/webhooks', { name: 'b', url: 'http://127.0.0.1:9', events }),
      400,
    )
  })
})
