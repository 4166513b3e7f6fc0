import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { emailService } from '../../core-plugins/accounts/email/email.ts'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { goodPassword, newApiToken, newUser } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type MailServer, notEncrypted, smtpPassword, smtpUser, startMailServer } from './mail-server.ts'

const settingsOf = ({ port }: MailServer) => ({
  SVC_EMAIL_HOST: '127.0.0.1',
  SVC_EMAIL_PORT: String(port),
  SVC_EMAIL_USER: smtpUser,
  SVC_SMTP_PASSWORD: smtpPassword,
  SVC_EMAIL_ALLOW_UNENCRYPTED_AUTH: 'true',
  SVC_EMAIL_FROM: 'Our CMS <cms@example.com>',
  SVC_SITE_URL: 'https://www.example.com/',
  SVC_SITE_NAME: 'Nowhere & Co',
})

const linkPattern = /https:\/\/www\.example\.com\/reset-password\?token=([\w-]+)/

eachDatabase((database) => {
  let service: TestService
  let server: MailServer
  before(async () => {
    server = await startMailServer()
    service = await startService({ database: database.name, env: settingsOf(server) })
  })
  after(async () => {
    await service.stop()
    await server.close()
  })

  const jobs = () => service.kernel.get(jobsService)

  /** Everything that the jobs and the mails of the database hold, as text. */
  async function stored(): Promise<string> {
    const db = service.kernel.get(databaseService)
    const rows = await Promise.all([
      query(db, () => sql`select * from svc_jobs`).all(),
      query(db, () => sql`select * from svc_emails`).all(),
    ])
    return JSON.stringify(rows)
  }

  async function send(to: string, expiresAt?: string): Promise<void> {
    const message = {
      to,
      subject: 'Größe\r\nBcc: x@example.com',
      text: 'Hello',
      ...(expiresAt ? { expiresAt } : {}),
    }
    await service.kernel
      .get(databaseService)
      .transaction((tx) => service.kernel.get(emailService).send(tx, message))
  }

  it(
    'mails a link to those who forgot their password, which works, and keeps nothing of it',
    slow,
    async () => {
      const { email } = await newUser(service)
      const before = server.mails.length
      assert.equal((await service.post('/api/auth/forgot-password', { email })).status, 200)
      const mail = (await server.gets(before + 1))[before]
      assert.deepEqual([mail?.from, mail?.to], ['cms@example.com', [email]])
      assert.match(mail?.source ?? '', /Subject: A new password for Nowhere & Co/)
      assert.match(mail?.source ?? '', /<p>.*Nowhere &amp; Co/)
      const token = linkPattern.exec(mail?.source ?? '')?.[1] ?? ''
      const password = `${goodPassword} anew`
      const reset = { token, password, passwordConfirmation: password }
      assert.equal((await service.post('/api/auth/reset-password', reset)).status, 200)
      await jobs().drain()
      assert.ok(!(await stored()).includes(token))
      const shown = await service.admin.get('/api/admin/jobs?name=email.send')
      assert.deepEqual(Object.keys(shown.body.data[0].payload), ['email'])
      assert.ok(!JSON.stringify([shown.body, service.logLines]).includes(token))
      assert.ok(!JSON.stringify(service.logLines).includes(smtpPassword))
    },
  )

  it('sends to the one address, with one subject, whatever is in them', async () => {
    const before = server.mails.length
    await send('one@example.com')
    const mail = (await server.gets(before + 1))[before]
    assert.deepEqual(mail?.to, ['one@example.com'])
    assert.doesNotMatch(mail?.source ?? '', /^Bcc:/m)
  })

  it('tries again while the server is busy, and no more when it refuses', slow, async () => {
    server.refuses(450)
    const before = { mails: server.mails.length, attempts: server.attempts }
    await send('busy@example.com')
    await until(async () => server.attempts > before.attempts)
    server.refuses(undefined)
    await server.gets(before.mails + 1)

    server.refuses(550)
    await send('refused@example.com')
    const failed = async () =>
      (await service.admin.get('/api/admin/jobs?name=email.send&status=failed')).body.data
    await until(async () => (await failed()).length === 1)
    const [job] = await failed()
    assert.equal(job.attempts, 1)
    assert.match(job.error, /the mail server did not take it: .*550/)
    server.refuses(undefined)
    assert.equal((await service.admin.post(`/api/admin/jobs/${job.id}/retry`)).status, 200)
    const mails = await server.gets(before.mails + 2)
    assert.deepEqual(mails.at(-1)?.to, ['refused@example.com'])
  })

  it('sends nothing that has expired, and forgets it', async () => {
    const before = server.mails.length
    await send('late@example.com', '2020-01-01T00:00:00.000Z')
    await send('in-time@example.com')
    await server.gets(before + 1)
    await jobs().drain()
    assert.deepEqual(server.mails.at(-1)?.to, ['in-time@example.com'])
    assert.ok(!(await stored()).includes('late@example.com'))
  })

  it('tells the owner of an address that somebody has tried to register with it, a few times', async () => {
    const { email, username } = await newUser(service)
    for (let count = 0; count < 7; count++) {
      const again = {
        email: email.toUpperCase(),
        username: `again-${count}-${username}`,
        password: goodPassword,
      }
      assert.equal((await service.post('/api/auth/register', again)).status, 409)
    }
    const told = () => server.mails.filter(({ to }) => to[0] === email)
    await until(() => told().length === 5)
    assert.match(
      told()[0]?.source ?? '',
      new RegExp(`Hello ${username},[^]*You have an account there already`),
    )
    assert.equal(
      (await service.post('/api/auth/register', { email, username, password: 'short' })).status,
      400,
    )
    await service.kernel.get(jobsService).drain()
    assert.equal(told().length, 5)
  })

  it('tells an administrator how a test went', async () => {
    const test = (body: object) => service.admin.post('/api/admin/email/test', body)
    const before = server.mails.length
    assert.deepEqual((await test({ to: 'admin@example.com' })).body.data, {
      sent: true,
      error: null,
      connection: notEncrypted,
    })
    assert.deepEqual(server.mails[before]?.to, ['admin@example.com'])
    server.refuses(550)
    const refused = (await test({ to: 'admin@example.com' })).body.data
    assert.equal(refused.sent, false)
    assert.match(refused.error, /550/)
    server.refuses(undefined)
    assert.equal((await test({ to: 'a@example.com, b@example.com' })).status, 400)
    assert.equal((await test({})).status, 400)
    const reading = await newApiToken(service, ['admin:config:read'])
    assert.equal((await reading.client.post('/api/admin/email/test', { to: 'a@example.com' })).status, 403)
  })

  it('mails what was asked for before the process was killed', slow, () =>
    withProject({ database: database.name, env: settingsOf(server) }, async (project) => {
      const lease = { SVC_JOBS_LEASE_MS: '1000' }
      const first = startProcess({ project, env: { ...lease, SVC_EMAIL_PORT: '9' } })
      const admin = await first.signIn()
      const email = `killed-${database.name}@example.com`
      const account = { email, username: 'killed', password: goodPassword }
      assert.equal((await admin.post('/api/auth/register', account)).status, 201)
      assert.equal((await admin.post('/api/auth/forgot-password', { email })).status, 200)
      first.process.kill('SIGKILL')
      await first.exited
      const second = startProcess({ project, env: lease })
      await second.ready()
      await until(async () => server.mails.some(({ to }) => to[0] === email))
      await second.end('SIGTERM')
    }),
  )
})

describe('mail that is not set up', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('is not sent, and a reset works without it', async () => {
    const { email } = await newUser(service)
    assert.equal(
      typeof (await service.post('/api/auth/forgot-password', { email })).body.data.resetToken,
      'string',
    )
    assert.equal((await service.admin.get('/api/admin/jobs?name=email.send')).body.data.length, 0)
    const answer = await service.admin.post('/api/admin/email/test', { to: 'a@example.com' })
    assert.equal(answer.status, 409)
    assert.match(answer.body.error.message, /email\.host/)
  })
})

describe('the settings of mail', () => {
  const wrong: Record<string, string>[] = [
    { SVC_EMAIL_FROM: 'nobody' },
    { SVC_EMAIL_FROM: 'x <a@example.com>\r\nBcc: b@example.com' },
    { SVC_EMAIL_HOST: 'smtp://example.com' },
    { SVC_EMAIL_PASSWORD_RESET_URL: 'https://example.com/reset' },
    { SVC_EMAIL_PASSWORD_RESET_URL: 'javascript:{token}' },
  ]
  for (const env of wrong) {
    it(`do not start the service with ${Object.entries(env)[0]?.join('=')}`, async () => {
      await assert.rejects(startService({ env }), /SVC_EMAIL_/)
    })
  }
})
