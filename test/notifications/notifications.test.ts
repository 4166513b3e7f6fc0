import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { defineJob, jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, problemsOf } from '../api/auth-callers.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../email/mail-server.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const state = (name: string, publishable = false) => ({ name, publishable })
const type = (name: string, options: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: `The ${name}` },
  options: { draftAndPublish: true, ...options },
  attributes: { title: { type: 'string', required: true } },
})

const schemas = {
  'secret.json': type('secret', {}),
  'policy.json': type('policy', {
    workflow: {
      enabled: true,
      initialState: 'draft',
      states: [state('draft'), state('review'), state('approved', true)],
      transitions: [
        { from: 'draft', to: 'review' },
        { from: 'review', to: 'approved', label: 'Approve', roles: ['reader'] },
      ],
    },
  }),
}

const path = '/api/admin/notifications/preferences'
const hostile = 'Rules\r\nBcc: x@example.com\r\n\r\n<script>alert(1)</script>'

/** Sends a digest, as the schedule would have it. */
const digestJob = defineJob({
  name: 'notifications.send-digest',
  payload: Type.Object({ userId: Type.Integer(), until: Type.String() }),
  run: () => undefined,
})

eachDatabase((database) => {
  describe('notifications', () => {
    let service: TestService
    let server: MailServer
    let reader: Caller
    let outsider: Caller
    let policy: number

    before(async () => {
      server = await startMailServer({ isOpen: true })
      service = await startService({
        ...{ database: database.name, schemas },
        env: {
          SVC_EMAIL_HOST: '127.0.0.1',
          SVC_EMAIL_PORT: String(server.port),
          SVC_EMAIL_FROM: 'cms@example.com',
          SVC_SITE_URL: 'https://www.example.com/cms',
          SVC_SITE_NAME: 'Here & There',
        },
      })
      for (const [name, content] of [
        ['reader', { policy: { read: true, update: true } }],
        ['outsider', { secret: { read: true, update: true } }],
      ] as const) {
        await made('/api/admin/roles', { name, permissions: { content, media: {} } })
      }
      reader = await newAdmin(service, 'reader')
      outsider = await newAdmin(service, 'outsider')
      policy = (await made('/api/content/policy', { title: hostile })).id
    })
    after(async () => {
      await service?.stop()
      await server?.close()
    })

    async function made(at: string, body: unknown, by: Client = service.admin) {
      return expectStatus(await by.post(at, body), 201).body.data
    }
    const choose = async ({ client }: Caller, body: object) =>
      expectStatus(await client.put(path, body), 200).body.data
    const comment = (body: string, mentions: readonly number[], by?: Client) =>
      made(`/api/content/policy/${policy}/comments`, { body, mentions }, by)
    const change = (statement: SQL) => query(service.kernel.get(databaseService), () => statement).run()
    const jobs = () => service.kernel.get(jobsService)

    /** The mails that come of some work and all jobs that are due then. */
    async function mailsOf(work: () => Promise<unknown>): Promise<readonly ReceivedMail[]> {
      const before = server.mails.length
      await work()
      await jobs().drain()
      return server.mails.slice(before)
    }

    /** What happened an hour ago is due today. */
    async function runDigests() {
      await change(sql`update svc_comments set created_at = '2020-01-02 00:00:00'`)
      await change(sql`update svc_mentions set mentioned_at = '2020-01-02 00:00:00'`)
      await change(sql`update svc_notification_preferences set digest_due_at = '2020-01-03 00:00:00'
        where digest_due_at is not null`)
      const schedules = expectStatus(await service.admin.get('/api/admin/scheduled-jobs'), 200).body.data
      const { id } = schedules.find(({ name }: { name: string }) => name === 'notifications.digests')
      expectStatus(await service.admin.post(`/api/admin/scheduled-jobs/${id}/run`), 202)
    }
    const forget = () =>
      change(sql`update svc_notification_preferences set digest_until = '2020-01-01 00:00:00'`)

    it('tells nobody who has not asked, and keeps what each has chosen, checked', async () => {
      assert.deepEqual(await mailsOf(() => comment('Unasked', [reader.id])), [])
      const untold = expectStatus(await reader.client.get(path), 200).body.data
      const never = { assigned: 'never', mentioned: 'never', transitions: 'never', outdated: 'never' }
      const times = { frequency: 'daily', weekday: 1, hour: 7, timeZone: 'UTC', language: 'en' }
      assert.deepEqual(untold, { sections: never, ...times, mailConfigured: true, digestsSent: true })

      const wrong = {
        ...{ hour: 24, frequency: 'hourly', timeZone: 'Mars/Base', userId: outsider.id },
        sections: { nonsense: 'digest', transitions: 'immediately' },
      }
      assert.deepEqual(problemsOf(expectStatus(await reader.client.put(path, wrong), 400)), {
        ...{ hour: 'maximum', frequency: 'enum', timeZone: 'timeZone', userId: 'additionalProperties' },
        ...{ 'sections.nonsense': 'unknown', 'sections.transitions': 'immediately' },
      })
      assert.deepEqual(await choose(reader, { sections: { assigned: 'digest' }, hour: 5 }), {
        ...{ ...untold, hour: 5, sections: { ...never, assigned: 'digest' } },
      })
      assert.deepEqual(expectStatus(await outsider.client.get(path), 200).body.data, untold)
      const { client } = await newApiToken(service, ['admin:*'])
      expectStatus(await client.put(path, { hour: 1 }), 403)
    })

    it('tells of mentions and assignments at once, and of what follows in one mail later', async () => {
      const sections = { mentioned: 'immediately', assigned: 'immediately' }
      for (const caller of [reader, outsider]) await choose(caller, { sections })
      const [first, ...others] = await mailsOf(() =>
        comment('Look & see\r\nhttps://evil.example', [reader.id, outsider.id]),
      )
      assert.deepEqual(others, [])
      assert.deepEqual(first?.to, [reader.email])
      const source = first?.source ?? ''
      assert.match(source, /^Subject: \S+ mentioned you: Rules Bcc: x@example.com/m)
      assert.doesNotMatch(source, /^Bcc:/m)
      assert.doesNotMatch(source.slice(source.indexOf('text/html')), /<script/)
      assert.match(source, /&lt;script&gt;alert\(1\)&lt;\/script&gt; \(The policy\)<\/a>/)
      assert.match(source, /<br>\S+: .*Look &amp; see https:\/\/evil.example/)
      assert.ok(source.includes(`https://www.example.com/cms/admin/content/policy/${policy}\r\n`))
      assert.ok(source.includes('https://www.example.com/cms/admin/profile'))
      assert.ok(!source.includes('Unasked'))

      const flood = async () => {
        for (let count = 0; count < 12; count++) await comment(`Flood ${count}`, [reader.id])
        await made(`/api/content/policy/${policy}/assignments`, { userId: reader.id, role: 'editor' })
        const edited = await comment('Edited', [])
        const edit = { body: 'Edited', mentions: [reader.id] }
        const at = `/api/content/policy/${policy}/comments/${edited.id}`
        expectStatus(await service.admin.put(at, edit), 200)
        await comment('My own', [reader.id], reader.client)
      }
      assert.deepEqual(await mailsOf(flood), [])
      const hurry = () =>
        change(sql`update svc_jobs set run_at = '2020-01-01 00:00:00', status = 'waiting'
        where name = 'notifications.send' and status in ('waiting', 'delayed')`)
      const later = await mailsOf(hurry)
      assert.equal(later.length, 1)
      assert.match(later[0]?.source ?? '', /^Subject: 14 new for you at Here & There/m)
      for (const text of ['Flood 11', 'and 3 more', 'as editor, by', 'Edited']) {
        assert.ok(later[0]?.source.includes(text), text)
      }
      for (const text of ['Look', 'My own']) assert.ok(!later[0]?.source.includes(text), text)

      await comment('For somebody blocked', [reader.id])
      const blocked = { blocked: true }
      expectStatus(await service.admin.put(`/api/admin/users/${reader.id}`, blocked), 200)
      assert.deepEqual(await mailsOf(hurry), [])
      expectStatus(await service.admin.put(`/api/admin/users/${reader.id}`, { blocked: false }), 200)
      assert.deepEqual(await mailsOf(hurry), [])
    })

    it('sends a digest of what is new, once, to those who may see it', async () => {
      const reviewer = await newAdmin(service, 'reader')
      const secret = (await made('/api/content/secret', { title: 'Classified' })).id
      const sections = { mentioned: 'digest', assigned: 'digest', transitions: 'digest' }
      for (const caller of [reviewer, outsider]) {
        await choose(caller, { sections, timeZone: 'Asia/Kathmandu', language: 'de' })
      }
      await comment('For the digest', [reviewer.id, outsider.id])
      const secretComment = { body: 'Whispered', mentions: [reviewer.id, outsider.id] }
      await made(`/api/content/secret/${secret}/comments`, secretComment)
      const move = `/api/content/policy/${policy}/workflow/transition`
      expectStatus(await service.admin.put(move, { to: 'review' }), 200)
      await forget()
      const mails = await mailsOf(runDigests)
      const mailTo = ({ email }: Caller) =>
        mails.filter(({ to }) => to[0] === email).map(({ source }) => source)
      const [digest = '', ...more] = mailTo(reviewer)
      assert.deepEqual([more, mails.length], [[], 2])
      assert.match(digest, /Subject: 1 neu in Ihrem Eingang bei Here & There/)
      assert.match(digest, /Sie werden erw.*hnt: 1 neu, 1 insgesamt/)
      // The state is as young as this test, and left to the next digest.
      assert.match(digest, /Weiterzuf.*hren: nichts Neues, 1 insgesamt/)
      assert.ok(digest.includes('For the digest') && !/Whispered|Classified/.test(digest))
      const [other = ''] = mailTo(outsider)
      assert.ok(other.includes('Whispered') && !/For the digest|policy/.test(other))

      assert.deepEqual(await mailsOf(runDigests), [])
      const sent = await service.admin.get('/api/admin/jobs?name=notifications.send-digest')
      const { payload } = expectStatus(sent, 200).body.data.find(
        ({ payload }: { payload: { userId: number } }) => payload.userId === reviewer.id,
      )
      const again = () =>
        service.kernel.get(databaseService).transaction(async (tx) => {
          await jobs().enqueueMany(tx, digestJob, [{ payload }, { payload }])
        })
      assert.deepEqual(await mailsOf(again), [])
      await forget()
      assert.equal((await mailsOf(again)).length, 1)

      expectStatus(await service.admin.put(`/api/admin/users/${outsider.id}`, { role: 'reader' }), 200)
      expectStatus(await service.admin.delete(`/api/admin/users/${reviewer.id}`), 200)
      await forget()
      assert.deepEqual(
        (await mailsOf(runDigests)).filter(({ source }) => /Whispered|Classified/.test(source)),
        [],
      )
    })
  })
})

describe('notifications without mail', () => {
  it('say that none is sent, or are not there', slow, async () => {
    const unconfigured = await startService({ schemas, env: { SVC_PLUGINS_DISABLED: 'schedules' } })
    try {
      const { mailConfigured, digestsSent } = expectStatus(await unconfigured.admin.get(path), 200).body.data
      assert.deepEqual([mailConfigured, digestsSent], [false, false])
    } finally {
      await unconfigured.stop()
    }
    const without = await startService({ schemas, env: { SVC_PLUGINS_DISABLED: 'email' } })
    try {
      expectStatus(await without.admin.get(path), 404)
      const { id } = expectStatus(await without.admin.post('/api/content/secret', { title: 'x' }), 201).body
        .data
      expectStatus(await without.admin.post(`/api/content/secret/${id}/comments`, { body: 'x' }), 201)
    } finally {
      await without.stop()
    }
  })
})
