import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'node:test'
import { contentWriteMiddleware, type WriteStage } from '../../core-plugins/entries/content/content.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { ok, type Received, startReceiver, withStatus } from './receiver.ts'
import {
  createNote,
  dataOf,
  logged,
  logsOf,
  useWebhooks,
  withReceiver,
  withWebhook,
} from './webhooks-world.ts'

/** Refuses notes after they were written. */
const veto = definePlugin({
  name: 'veto',
  description: 'Refuses some notes',
  register({ contribute }) {
    const stage: WriteStage = {
      name: 'too late',
      matches: ({ type, operation }) => type.name === 'note' && operation === 'create',
      async run({ data }, next) {
        const entry = await next()
        if (data.text === 'refuse') throw new AppError('CONFLICT', 'not this one')
        return entry
      },
    }
    contribute(contentWriteMiddleware, stage, { before: ['webhooks'] })
  },
})

const told = (received: readonly Received[]) =>
  received.map(({ body }) => `${body.event} ${body.data.contentType} ${body.data.entry.id}`)

eachDatabase((database) => {
  const world = useWebhooks({ database: database.name, plugins: [veto] })

  it('tells of a change, signed, with the headers of the service and of the webhook', () =>
    withReceiver((receiver) => {
      const fields = {
        url: receiver.url,
        secret: 'a secret',
        headers: { 'X-Own': 'own', authorization: 'Bearer t' },
      }
      return withWebhook(world.admin, fields, async (id) => {
        const note = await createNote(world.admin, 'größer', { size: '1.50' })
        const [sent] = await receiver.gets(1)
        assert.ok(sent)
        const { 'x-webhook-timestamp': timestamp, 'x-webhook-id': uid } = sent.headers
        const signature = createHmac('sha256', 'a secret').update(sent.raw).digest('hex')
        assert.deepEqual(
          [
            sent.method,
            sent.path,
            sent.headers['content-type'],
            sent.headers['x-own'],
            sent.headers.authorization,
          ],
          ['POST', '/hook', 'application/json', 'own', 'Bearer t'],
        )
        assert.equal(sent.headers['x-webhook-signature'], signature)
        assert.equal(sent.headers['x-webhook-event'], 'entry.create')
        assert.deepEqual(sent.body, {
          event: 'entry.create',
          data: { contentType: 'note', entry: note, actor: { kind: 'admin', id: 1, username: 'admin' } },
          id: uid,
          timestamp,
          webhookId: id,
        })
        const [log] = await logged(world.admin, id, 'delivered')
        assert.deepEqual(log.payload, sent.body)
        assert.deepEqual([log.statusCode, log.attempt, log.error, log.event], [200, 1, null, 'entry.create'])
        assert.equal(log.requestHeaders['x-webhook-signature'], signature)
        assert.deepEqual([log.requestHeaders.authorization, log.requestHeaders['x-own']], ['***', 'own'])
        assert.equal(typeof log.responseTime, 'number')
      })
    }))

  it('tells a webhook of its events and content types only', () =>
    withReceiver((receiver) =>
      withWebhook(
        world.admin,
        { url: receiver.url, events: ['entry.delete', 'entry.create'], content_types: ['tag'] },
        async () => {
          await createNote(world.admin, 'not told')
          const tag = dataOf(await world.admin.post('/api/content/tag', { name: 'told' }), 201)
          dataOf(await world.admin.put(`/api/content/tag/${tag.id}`, { name: 'not told' }))
          dataOf(await world.admin.delete(`/api/content/tag/${tag.id}`))
          const received = await receiver.gets(2)
          assert.deepEqual(told(received), [`entry.create tag ${tag.id}`, `entry.delete tag ${tag.id}`])
          assert.deepEqual(received[0]?.body.data.entry, tag, 'no timestamps where the type shows none')
          assert.equal(received[1]?.body.data.entry.name, 'not told', 'the entry as it was then')
        },
      ),
    ))

  it('keeps the order of the changes of an entry, each with the entry as it was', () =>
    withReceiver((receiver) =>
      withWebhook(world.admin, { url: receiver.url, content_types: ['note'] }, async () => {
        let failures = 3
        receiver.answers((received, response) => {
          const fails = received.body.event === 'entry.create' && failures-- > 0
          response.writeHead(fails ? 500 : 204).end()
        })
        const { id } = await createNote(world.admin, '0')
        for (let count = 1; count <= 10; count++) {
          dataOf(await world.admin.put(`/api/content/note/${id}`, { text: String(count) }))
        }
        const received = await receiver.gets(14)
        const texts = received.map(({ body }) => body.data.entry.text)
        assert.deepEqual(texts, ['0', '0', '0', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
        const ids = received.slice(0, 4).map(({ headers }) => headers['x-webhook-id'])
        assert.equal(new Set(ids).size, 1, 'one delivery, however often it is tried')
        const bodies = received.slice(0, 4).map(({ raw }) => raw.toString())
        assert.equal(new Set(bodies).size, 1, 'the same bytes')
      }),
    ))

  it('tells nothing of what was rolled back', () =>
    withReceiver((receiver) =>
      withWebhook(world.admin, { url: receiver.url, content_types: ['note'] }, async (id) => {
        assert.equal((await world.admin.post('/api/content/note', { text: 'refuse' })).status, 409)
        const { id: first } = await createNote(world.admin, 'first')
        const { id: second } = await createNote(world.admin, 'second')
        const bulk = { ids: [first, second, 999_999_999], data: { text: 'changed' } }
        assert.equal((await world.admin.patch('/api/content/note/bulk-update', bulk)).status, 404)
        await logged(world.admin, id, 'delivered', 2)
        assert.deepEqual(told(receiver.received).sort(), [
          `entry.create note ${first}`,
          `entry.create note ${second}`,
        ])
        assert.equal((await logsOf(world.admin, id)).length, 2)
      }),
    ))

  it('tells of every entry of bulk operations, links, cascades, single types and restores', () =>
    withReceiver((receiver) => {
      const events = ['entry.create', 'entry.update', 'entry.delete', 'entry.publish', 'entry.unpublish']
      return withWebhook(world.admin, { url: receiver.url, events }, async () => {
        const { admin } = world
        const tag = dataOf(await admin.post('/api/content/tag', { name: 'a' }), 201).id
        const one = (await createNote(admin, 'one')).id
        const two = (await createNote(admin, 'two')).id
        dataOf(
          await admin.patch('/api/content/note/bulk-update', { ids: [one, two], data: { text: 'bulk' } }),
        )
        dataOf(await admin.post(`/api/content/note/${one}/link/tags`, { id: tag }))
        dataOf(await admin.delete('/api/content/note/bulk-delete', { ids: [one, two] }))
        const home = dataOf(await admin.put('/api/content/home', { title: 'x' }), 201).id
        dataOf(await admin.put('/api/content/home', { title: 'y' }))
        const book = dataOf(await admin.post('/api/content/book', { title: 'x' }), 201).id
        dataOf(await admin.put(`/api/content/book/${book}/publish`, {}))
        dataOf(await admin.put(`/api/content/book/${book}/unpublish`, {}))
        dataOf(await admin.delete(`/api/content/book/${book}`))
        dataOf(await admin.post(`/api/content/book/${book}/restore`))
        const shelf = dataOf(await admin.post('/api/content/shelf', {}), 201).id
        const kept = (await createNote(admin, 'kept', { shelf })).id
        dataOf(await admin.delete(`/api/content/shelf/${shelf}`))
        const expected = [
          `entry.create tag ${tag}`,
          ...[one, two].flatMap((id) => [`entry.create note ${id}`, `entry.update note ${id}`]),
          `entry.update note ${one}`,
          ...[one, two].map((id) => `entry.delete note ${id}`),
          ...[`entry.create home ${home}`, `entry.update home ${home}`],
          ...[`entry.create book ${book}`, `entry.publish book ${book}`, `entry.unpublish book ${book}`],
          ...[`entry.delete book ${book}`, `entry.update book ${book}`],
          ...[`entry.create shelf ${shelf}`, `entry.create note ${kept}`],
          ...[`entry.delete note ${kept}`, `entry.delete shelf ${shelf}`],
        ]
        await receiver.gets(expected.length)
        assert.deepEqual(told(receiver.received).sort(), expected.sort())
      })
    }))

  it('tells what a CDN has to forget, of types with drafts', () =>
    withReceiver((receiver) =>
      withWebhook(world.admin, { url: receiver.url, events: ['entry.preview.invalidate'] }, async () => {
        const { admin } = world
        const { id } = dataOf(await admin.post('/api/content/book', { title: 'x' }), 201)
        dataOf(await admin.put(`/api/content/book/${id}`, { title: 'y' }))
        dataOf(await admin.put(`/api/content/book/${id}/publish`, {}))
        dataOf(await admin.put(`/api/content/book/${id}/unpublish`, {}))
        dataOf(await admin.delete(`/api/content/book/${id}`))
        await createNote(admin, 'has no drafts')
        const received = await receiver.gets(4)
        assert.deepEqual(told(received), Array(4).fill(`entry.preview.invalidate book ${id}`))
        assert.deepEqual(
          received.map(({ body }) => body.data.entry.title),
          ['y', 'y', 'y', 'y'],
        )
      }),
    ))

  it('tells when a scheduled publication has come, once, and not of one that was called off', slow, () =>
    withReceiver((receiver) =>
      withWebhook(
        world.admin,
        { url: receiver.url, events: ['entry.preview.invalidate', 'entry.publish'] },
        async () => {
          const { admin } = world
          const publish = async (title: string, publishedAt: string) => {
            const { id } = dataOf(await admin.post('/api/content/book', { title }), 201)
            dataOf(await admin.put(`/api/content/book/${id}/publish`, { publishedAt }))
            return id
          }
          const soon = new Date(Date.now() + 1500).toISOString()
          const off = await publish('called off', soon)
          dataOf(await admin.put(`/api/content/book/${off}/unpublish`, {}))
          const on = await publish('comes', soon)
          const received = await receiver.gets(4)
          const last = received[3]
          assert.deepEqual(told(received.slice(3)), [`entry.preview.invalidate book ${on}`])
          assert.deepEqual(
            [last?.body.data.actor, last?.body.timestamp, last?.body.data.entry.published_at],
            [null, soon, soon],
          )
          assert.ok(Date.now() >= Date.parse(soon))
          await until(async () => {
            const { body } = await admin.get('/api/admin/jobs?name=webhooks.tellPublication&status=completed')
            return body.data.length === 2
          })
          assert.equal(receiver.received.length, 4)
        },
      ),
    ),
  )

  it('tries again, then lists the delivery as dead, and replays it', () =>
    withReceiver(
      (receiver) =>
        withWebhook(world.admin, { url: receiver.url }, async (id) => {
          const { admin } = world
          const { id: note } = await createNote(admin, 'unlucky')
          const [dead] = await logged(admin, id, 'dead')
          assert.equal(receiver.received.length, 5)
          assert.deepEqual([dead.attempt, dead.statusCode, dead.error], [5, 503, 'the receiver answered 503'])
          const deadLetters = async () =>
            dataOf(await admin.get('/api/webhooks/dead-letter')).filter(
              (each: { webhookId: number }) => each.webhookId === id,
            )
          assert.deepEqual(await deadLetters(), [dead])
          assert.equal(dataOf(await admin.get(`/api/webhooks/${id}`)).consecutive_failures, 1)
          receiver.answers(ok)
          const replayed = dataOf(await admin.post(`/api/webhooks/${id}/replay/${dead.id}`), 202)
          assert.deepEqual([replayed.origin, replayed.status], ['replay', 'pending'])
          const [delivered] = await logged(admin, id, 'delivered')
          assert.equal(delivered.id, replayed.id)
          assert.deepEqual(delivered.payload.data, dead.payload.data)
          assert.equal(delivered.payload.timestamp, dead.payload.timestamp)
          assert.notEqual(delivered.payload.id, dead.payload.id)
          assert.equal(delivered.payload.data.entry.id, note)
          assert.deepEqual(await deadLetters(), [])
          const { consecutive_failures: failures, last_status: last } = dataOf(
            await admin.get(`/api/webhooks/${id}`),
          )
          assert.deepEqual([failures, last], [0, 'delivered'])
          assert.equal((await admin.post(`/api/webhooks/${id}/replay/${delivered.id}`)).status, 409)
          assert.equal((await admin.post(`/api/webhooks/${id}/replay/999999999`)).status, 404)
          const stats = dataOf(await admin.get(`/api/webhooks/${id}/stats`))
          assert.deepEqual(
            [stats.total, stats.delivered, stats.dead, stats.pending, stats.successRate],
            [2, 1, 1, 0, 0.5],
          )
        }),
      withStatus(503),
    ))

  it('delivers to one receiver while another one keeps silent', async () => {
    const silent = await startReceiver(() => undefined)
    try {
      await withReceiver((receiver) =>
        withWebhook(world.admin, { url: silent.url }, () =>
          withWebhook(world.admin, { url: receiver.url }, async () => {
            const count = 40
            await Promise.all(
              Array.from({ length: count }, (_, index) => createNote(world.admin, `note ${index}`)),
            )
            await receiver.gets(count)
            assert.ok(silent.received.length < count, 'not all of them at the same time')
          }),
        ),
      )
    } finally {
      await silent.close()
    }
  })
})
