import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Alerts, alertsService, type NewAlert } from '../../core-plugins/background/alerts/alerts.ts'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newApiToken, problemsOf } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { ok, withStatus } from './receiver.ts'
import {
  createNote,
  dataOf,
  logged,
  logsOf,
  useWebhooks,
  withReceiver,
  withWebhook,
} from './webhooks-world.ts'

const fields = { name: 'mine', url: 'https://example.com/hook', events: ['entry.create'] }

describe('the endpoints of webhooks', () => {
  const world = useWebhooks()

  it('keep what they were told, but never show the secret', async () => {
    const { admin } = world
    const all = {
      ...{ ...fields, enabled: false, content_types: ['note'], secret: 's', headers: { 'X-Own': 'x' } },
    }
    const made = dataOf(await admin.post('/api/webhooks', all), 201)
    const { id, created_at, updated_at, ...rest } = made
    const { secret: _, ...shown } = all
    const health = { consecutive_failures: 0, last_status: null, last_delivery_at: null }
    assert.deepEqual(rest, { ...shown, unknown_events: [], hasSecret: true, made_by: 'admin:1', ...health })
    assert.deepEqual(dataOf(await admin.get(`/api/webhooks/${id}`)), made)
    assert.deepEqual(dataOf(await admin.get('/api/webhooks')), [made])
    const again = dataOf(await admin.put(`/api/webhooks/${id}`, made))
    assert.deepEqual({ ...again, updated_at }, made, 'what was read can be sent back, and the secret stays')
    const changed = dataOf(
      await admin.put(`/api/webhooks/${id}`, { secret: '', name: 'other', content_types: null }),
    )
    assert.deepEqual([changed.hasSecret, changed.name, changed.content_types], [false, 'other', []])
    assert.equal(changed.created_at, created_at)
    assert.equal(dataOf(await admin.delete(`/api/webhooks/${id}`)).id, id)
    for (const answer of await Promise.all([
      admin.get(`/api/webhooks/${id}`),
      admin.put(`/api/webhooks/${id}`, { name: 'gone' }),
      admin.delete(`/api/webhooks/${id}`),
      admin.post(`/api/webhooks/${id}/test`),
      admin.get(`/api/webhooks/${id}/logs`),
      admin.get(`/api/webhooks/${id}/stats`),
      admin.put(`/api/webhooks/${id}/health`),
      admin.post(`/api/webhooks/${id}/replay/1`),
    ])) {
      assert.equal(answer.status, 404)
    }
  })

  it('show credentials in headers only to those who may change where they are sent, and take masks back', async () => {
    const { admin } = world
    const headers = {
      Authorization: 'Bearer of-mine',
      'X-Api-Key': 'k',
      'X-Own': 'x',
      'X-Other': 'Basic YTpi',
    }
    const made = dataOf(await admin.post('/api/webhooks', { ...fields, headers }), 201)
    assert.deepEqual(made.headers, headers)
    const { client: reader } = await newApiToken(world.service, ['webhooks:read'])
    const masked = { Authorization: '***', 'X-Api-Key': '***', 'X-Own': 'x', 'X-Other': '***' }
    const read = dataOf(await reader.get(`/api/webhooks/${made.id}`))
    const [listed] = dataOf(await reader.get('/api/webhooks')).filter(
      ({ id }: { id: number }) => id === made.id,
    )
    assert.deepEqual([read.headers, listed.headers], [masked, masked])
    const { client: writer } = await newApiToken(world.service, [
      'webhooks:write',
      'content:read',
      'content:write',
    ])
    assert.deepEqual(dataOf(await writer.put(`/api/webhooks/${made.id}`, read)).headers, headers)
    const moved = { authorization: '***', 'X-Api-Key': 'new', 'X-Other': '***' }
    const kept = { authorization: headers.Authorization, 'X-Api-Key': 'new', 'X-Other': headers['X-Other'] }
    assert.deepEqual(dataOf(await admin.put(`/api/webhooks/${made.id}`, { headers: moved })).headers, kept)
    const copied = await admin.post('/api/webhooks', { ...fields, headers: { Authorization: '***' } })
    assert.deepEqual(problemsOf(expectStatus(copied, 400)), { 'headers.Authorization': 'header' })
  })

  it('refuse what cannot work, naming every problem', async () => {
    const { admin } = world
    const headers = {
      Host: 'x',
      'X-Webhook-Signature': 'x',
      'bad name': 'x',
      'X-A': 'a\r\nb: c',
      'x-a': '1',
      User_Agent: 'x',
    }
    const answer = await admin.post('/api/webhooks', {
      ...{ ...fields, url: 'ftp://example.com', content_types: ['note', 'nothing'], headers },
    })
    assert.deepEqual(problemsOf(expectStatus(answer, 400)), {
      url: 'url',
      'content_types.1': 'unknown',
      'headers.Host': 'header',
      'headers.X-Webhook-Signature': 'header',
      'headers.bad name': 'header',
      'headers.X-A': 'header',
      'headers.x-a': 'header',
    })
    const wrong = [
      ...['', 'nowhere', '/hook', 'javascript:alert(1)', 'https://user:pass@example.com/', 'http://'].map(
        (url) => ({ url }),
      ),
      ...[
        { events: [] },
        { events: ['entry.nothing'] },
        { events: 'entry.create' },
        { name: '' },
        { enabled: 'yes' },
      ],
      ...[{ headers: { a: 1 } }, { headers: [] }, { unknown: 1 }, { content_types: 'note' }, { secret: 1 }],
    ]
    for (const part of wrong) {
      expectStatus(await admin.post('/api/webhooks', { ...fields, ...part }), 400)
    }
    for (const part of [{ name: 'x' }, { name: 'x', url: fields.url }, {}]) {
      expectStatus(await admin.post('/api/webhooks', part), 400)
    }
    const { id } = dataOf(await admin.post('/api/webhooks', fields), 201)
    expectStatus(await admin.put(`/api/webhooks/${id}`, { url: 'ftp://x' }), 400)
    expectStatus(await admin.get(`/api/webhooks/${id}/logs?status=nothing`), 400)
    expectStatus(await admin.get('/api/webhooks/nothing'), 404)
    expectStatus(await admin.delete(`/api/webhooks/${id}`), 200)
  })

  it('are for tokens with their scopes', async () => {
    const reading = await newApiToken(world.service, ['webhooks:read'])
    const writing = await newApiToken(world.service, ['webhooks:write', 'content:read', 'content:write'])
    expectStatus(await reading.client.post('/api/webhooks', fields), 403)
    const { id } = dataOf(await writing.client.post('/api/webhooks', fields), 201)
    expectStatus(await writing.client.get('/api/webhooks'), 403)
    expectStatus(await reading.client.get(`/api/webhooks/${id}/logs`), 200)
    expectStatus(await reading.client.get('/api/webhooks/dead-letter'), 200)
    expectStatus(await reading.client.post(`/api/webhooks/${id}/test`), 403)
    expectStatus(await writing.client.delete(`/api/webhooks/${id}`), 200)
  })

  it('send a test at once, whatever the webhook is for', () =>
    withReceiver((receiver) => {
      const off = { url: receiver.url, enabled: false, content_types: ['tag'], secret: 's' }
      return withWebhook(world.admin, off, async (id) => {
        const log = dataOf(await world.admin.post(`/api/webhooks/${id}/test`))
        assert.deepEqual([log.status, log.statusCode, log.attempt, log.origin], ['delivered', 200, 1, 'test'])
        const [sent] = receiver.received
        assert.deepEqual(sent?.body, log.payload)
        assert.equal(sent?.body.event, 'webhook.test')
        assert.equal(typeof sent?.headers['x-webhook-signature'], 'string')
        receiver.answers(withStatus(500))
        const failed = dataOf(await world.admin.post(`/api/webhooks/${id}/test`))
        assert.deepEqual([failed.status, failed.error], ['dead', 'the receiver answered 500'])
        assert.deepEqual(await logsOf(world.admin, id), [failed, log])
        assert.deepEqual(dataOf(await world.admin.get('/api/webhooks/dead-letter')), [])
        assert.equal(dataOf(await world.admin.get(`/api/webhooks/${id}`)).consecutive_failures, 0)
      })
    }))
})

/** Keeps alerts where the real ones may be switched off. */
function alertKeeper() {
  const raised: NewAlert[] = []
  const resolved: string[] = []
  const alerts: Alerts = {
    raise: async (alert) => void raised.push(alert),
    resolve: async (kind, subject) => void resolved.push(`${kind} ${subject}`),
  }
  const plugin = definePlugin({
    name: 'alert-keeper',
    description: 'Keeps alerts',
    provides: [alertsService],
    init: ({ provide }) => provide(alertsService, alerts),
  })
  return { plugin, raised, resolved }
}

eachDatabase((database) => {
  const { plugin, raised, resolved } = alertKeeper()
  const world = useWebhooks({
    database: database.name,
    plugins: [plugin],
    env: {
      SVC_PLUGINS_DISABLED: 'alerts',
      SVC_WEBHOOKS_MAX_CONSECUTIVE_FAILURES: '3',
      SVC_WEBHOOKS_RETRY_DELAYS: '[]',
    },
  })
  const jobs = () => world.service.kernel.get(jobsService)

  it('disables a webhook whose deliveries keep dying, raises an alert, and enables it again', () =>
    withReceiver(
      (receiver) =>
        withWebhook(world.admin, { url: receiver.url }, async (id) => {
          const { admin } = world
          for (let count = 1; count <= 3; count++) {
            await createNote(admin, 'lost')
            await logged(admin, id, 'dead', count)
          }
          await jobs().drain()
          const disabled = dataOf(await admin.get(`/api/webhooks/${id}`))
          assert.deepEqual(
            [disabled.enabled, disabled.consecutive_failures, disabled.last_status],
            [false, 3, 'dead'],
          )
          const alert = raised.find(({ subject }) => subject === String(id))
          assert.deepEqual([alert?.kind, alert?.details?.failures], ['webhook_disabled', 3])
          await createNote(admin, 'nobody is told')
          assert.equal((await logsOf(admin, id)).length, 3)
          const reset = dataOf(await admin.put(`/api/webhooks/${id}/health`))
          assert.deepEqual([reset.enabled, reset.consecutive_failures], [true, 0])
          assert.ok(resolved.includes(`webhook_disabled ${id}`))
          receiver.answers(ok)
          await createNote(admin, 'told')
          await logged(admin, id, 'delivered')
        }),
      withStatus(500),
    ))

  it('delivers nothing any more of a webhook that is deleted, and forgets its log', () =>
    withReceiver(async (receiver) => {
      const { admin } = world
      let release: () => void = () => undefined
      receiver.answers((_, response) => {
        release = () => response.end()
      })
      const { id } = dataOf(
        await admin.post('/api/webhooks', {
          ...fields,
          url: receiver.url,
          events: ['entry.create', 'entry.update'],
        }),
        201,
      )
      const note = await createNote(admin, 'on its way')
      await receiver.gets(1)
      for (const text of ['waits', 'waits, too']) {
        dataOf(await admin.put(`/api/content/note/${note.id}`, { text }))
      }
      dataOf(await admin.delete(`/api/webhooks/${id}`))
      release()
      await jobs().drain()
      assert.equal(receiver.received.length, 1)
      const service = world.service.kernel.get(databaseService)
      const left = query(
        service,
        (value) => sql`select id from svc_webhook_deliveries
        where webhook_id = ${value('id', 'integer')}`,
      )
      assert.deepEqual(await left.all({ id }), [])
    }))

  it('lets what waits for a disabled webhook die, to be replayed', () =>
    withReceiver((receiver) =>
      withWebhook(world.admin, { url: receiver.url }, async (id) => {
        const { admin } = world
        let release: () => void = () => undefined
        receiver.answers((_, response) => {
          release = () => response.end()
        })
        const note = await createNote(admin, 'on its way')
        await receiver.gets(1)
        dataOf(await admin.put(`/api/content/note/${note.id}`, { text: 'waits' }))
        dataOf(await admin.put(`/api/webhooks/${id}`, { enabled: false }))
        release()
        const [dead] = await logged(admin, id, 'dead')
        assert.match(dead.error, /was disabled/)
        assert.equal(receiver.received.length, 1)
        receiver.answers(ok)
        dataOf(await admin.post(`/api/webhooks/${id}/replay/${dead.id}`), 202)
        await receiver.gets(2)
        assert.equal(receiver.received[1]?.body.data.entry.text, 'waits')
      }),
    ))

  it('keeps the log for so many days, and what is not delivered yet in any case', () =>
    withReceiver((receiver) =>
      withWebhook(world.admin, { url: receiver.url }, async (id) => {
        const { admin, service } = world
        for (const text of ['old', 'old, too', 'young']) await createNote(admin, text)
        const [young, waiting, old] = await logged(admin, id, 'delivered', 3)
        const db = service.kernel.get(databaseService)
        const long = '2020-01-01T00:00:00.000Z'
        const age = query(
          db,
          (value) => sql`update svc_webhook_deliveries set created_at = ${value('at', 'datetime')},
          status = ${value('status', 'string')} where id = ${value('id', 'id')}`,
        )
        await age.run({ id: old.id, at: long, status: 'delivered' })
        await age.run({ id: waiting.id, at: long, status: 'pending' })
        const agePayloads = query(
          db,
          (value) => sql`update svc_webhook_payloads set created_at = ${value('at', 'datetime')}
          where id in (select payload_id from svc_webhook_deliveries where id in (${value('old', 'id')}, ${value('waiting', 'id')}))`,
        )
        await agePayloads.run({ at: long, old: old.id, waiting: waiting.id })
        const schedules: { id: number; name: string }[] = dataOf(await admin.get('/api/admin/scheduled-jobs'))
        const pruning = schedules.find(({ name }) => name === 'webhooks.prune')
        dataOf(await admin.post(`/api/admin/scheduled-jobs/${pruning?.id}/run`), 202)
        await jobs().drain()
        assert.deepEqual(
          (await logsOf(admin, id)).map((each) => each.id),
          [young.id, waiting.id],
        )
        const payloads = query<{ id: string }>(
          db,
          () => sql`select id from svc_webhook_payloads where created_at < '2021-01-01'`,
        )
        assert.equal((await payloads.all()).length, 1)
        await age.run({ id: waiting.id, at: long, status: 'delivered' })
      }),
    ))
})
