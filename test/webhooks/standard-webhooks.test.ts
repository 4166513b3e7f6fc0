import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { expectStatus, problemsOf } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import type { Received } from './receiver.ts'
import { withStatus } from './receiver.ts'
import { dataOf, useWebhooks, withReceiver, withWebhook } from './webhooks-world.ts'

/** As the library of the standard is given a request. */
function verified(secret: string, { raw, headers }: Received, options?: { format: 'raw' }): unknown {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return new Webhook(secret, options).verify(raw.toString(), sent)
}

describe('deliveries as Standard Webhooks', () => {
  const world = useWebhooks()
  const secret = `whsec_${randomBytes(32).toString('base64')}`

  it('are verified by the library of the standard, beside the headers of the service', () =>
    withReceiver(async (receiver) => {
      const { admin } = world
      await withWebhook(admin, { url: receiver.url, events: ['entry.create'], secret }, async () => {
        expectStatus(await admin.post('/api/content/note', { text: 'é' }), 201)
        const [sent] = await receiver.gets(1)
        assert.ok(sent !== undefined)
        assert.deepEqual(verified(secret, sent), sent.body)
        assert.equal(sent.headers['webhook-id'], sent.headers['x-webhook-id'])
        assert.match(String(sent.headers['x-webhook-signature']), /^[0-9a-f]{64}$/)
        assert.ok(Math.abs(Number(sent.headers['webhook-timestamp']) - Date.now() / 1000) < 60)
        const other = `whsec_${randomBytes(32).toString('base64')}`
        assert.throws(() => verified(other, sent))
        assert.throws(() => verified(secret, { ...sent, raw: Buffer.from(`${sent.raw} `) }))
      })
    }))

  it('take any other secret as it is, which the library calls raw', () =>
    withReceiver(async (receiver) => {
      const plain = 'a long random secret'
      const { admin } = world
      await withWebhook(admin, { url: receiver.url, events: ['entry.create'], secret: plain }, async () => {
        expectStatus(await admin.post('/api/content/note', { text: 'x' }), 201)
        const [sent] = await receiver.gets(1)
        assert.ok(sent !== undefined)
        assert.deepEqual(verified(plain, sent, { format: 'raw' }), sent.body)
      })
    }))

  it('have the same id over all attempts, and no signature without a secret', () =>
    withReceiver(async (receiver) => {
      const { admin } = world
      let left = 1
      receiver.answers((received, response) => {
        left -= 1
        withStatus(left >= 0 ? 500 : 200)(received, response)
      })
      await withWebhook(admin, { url: receiver.url, events: ['entry.create'] }, async () => {
        expectStatus(await admin.post('/api/content/note', { text: 'x' }), 201)
        const [first, second] = await receiver.gets(2)
        assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
        assert.equal(first?.headers['webhook-signature'], undefined)
      })
    }))

  it('need a secret that receivers can use', async () => {
    const fields = { name: 'x', url: 'https://example.com/hook', events: ['entry.create'] }
    for (const wrong of ['whsec_', 'whsec_short', `whsec_${'!'.repeat(40)}`, `whsec_${'A'.repeat(400)}`]) {
      const answer = await world.admin.post('/api/webhooks', { ...fields, secret: wrong })
      assert.deepEqual(problemsOf(expectStatus(answer, 400)), { secret: 'format' }, wrong)
    }
    const headers = { 'Webhook-Signature': 'x', 'webhook-id': 'x', 'Webhook-Other': 'x' }
    const answer = await world.admin.post('/api/webhooks', { ...fields, headers })
    assert.deepEqual(problemsOf(expectStatus(answer, 400)), {
      'headers.Webhook-Signature': 'header',
      'headers.webhook-id': 'header',
    })
  })
})

describe('webhooks to addresses that production does not reach', () => {
  const world = useWebhooks({ env: { NODE_ENV: 'production' } })
  const fields = { name: 'x', events: ['entry.create'] }

  it('are refused when they are saved', async () => {
    const { admin } = world
    for (const url of [
      'http://127.0.0.1:4000/hook',
      'http://[::1]/hook',
      'https://169.254.169.254/latest',
      'http://10.1.2.3/',
      'http://localhost:4000/hook',
      'http://2130706433/',
    ]) {
      const answer = expectStatus(await admin.post('/api/webhooks', { ...fields, url }), 400)
      assert.deepEqual(problemsOf(answer), { url: 'address' }, url)
      assert.match(answer.body.error.details[0].message, /webhooks\.allowPrivateNetworks/)
    }
    const all = await admin.post('/api/webhooks', { ...fields, url: 'http://10.1.2.3/', events: ['x.y'] })
    assert.deepEqual(problemsOf(expectStatus(all, 400)), { 'events.0': 'unknown', url: 'address' })
    const made = dataOf(
      await admin.post('/api/webhooks', { ...fields, url: 'https://nowhere.invalid/' }),
      201,
    )
    const moved = await admin.put(`/api/webhooks/${made.id}`, { url: 'http://10.1.2.3/' })
    assert.deepEqual(problemsOf(expectStatus(moved, 400)), { url: 'address' })
    expectStatus(await admin.put(`/api/webhooks/${made.id}`, { name: 'y' }), 200)
  })
})

eachDatabase(({ name: database }) => {
  describe(`what webhooks are told of former values on ${database}`, () => {
    const world = useWebhooks({ database })

    it('is what has another value now, where it is short', () =>
      withReceiver(async (receiver) => {
        const { admin } = world
        const shelf = dataOf(await admin.post('/api/content/shelf', { name: 'A' }), 201)
        const events = ['entry.create', 'entry.update', 'entry.publish', 'entry.delete']
        await withWebhook(admin, { url: receiver.url, events }, async () => {
          const { id } = dataOf(await admin.post('/api/content/note', { text: 'old', size: '1.50' }), 201)
          const note = `/api/content/note/${id}`
          expectStatus(await admin.put(note, { text: 'new', shelf: shelf.id }), 200)
          expectStatus(await admin.put(note, { size: 1.5 }), 200)
          expectStatus(await admin.delete(note), 200)
          const sent = (await receiver.gets(4)).map(({ body }) => body)
          assert.deepEqual(
            sent.map(({ event, data }) => [event, data.previous]),
            [
              ['entry.create', undefined],
              ['entry.update', { text: 'old', shelf: null }],
              ['entry.update', {}],
              ['entry.delete', undefined],
            ],
          )
          const book = dataOf(await admin.post('/api/content/book', { title: 'B' }), 201)
          expectStatus(await admin.put(`/api/content/book/${book.id}/publish`), 200)
          const published = (await receiver.gets(6))[5]?.body
          assert.deepEqual(
            [published.event, published.data.previous],
            ['entry.publish', { published_at: null }],
          )
        })
      }))
  })
})
