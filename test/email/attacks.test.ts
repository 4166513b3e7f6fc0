import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, newAdmin, newApiToken } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { type MailServer, notEncrypted, smtpPassword, smtpUser, startMailServer } from './mail-server.ts'

const config = '/api/admin/config'
const account = {
  SVC_EMAIL_USER: smtpUser,
  SVC_SMTP_PASSWORD: smtpPassword,
  SVC_EMAIL_FROM: 'cms@example.com',
}

async function withService(
  env: Readonly<Record<string, string>>,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startService({ env })
  try {
    await work(service)
  } finally {
    await service.stop()
  }
}

const sendTest = async (by: Client) =>
  expectStatus(await by.post('/api/admin/email/test', { to: 'a@example.com' }), 200).body.data

describe('settings that say where secrets are sent', () => {
  const reserved: Record<string, unknown> = {
    'email.host': 'evil.example',
    'email.port': 2525,
    'email.secure': true,
    'email.requireTls': true,
    'email.user': 'somebody',
    'email.passwordResetUrl': 'https://evil.example/?{token}',
    'site.url': 'https://evil.example',
    'security.socialLogin.callbackOrigin': 'https://evil.example',
    'security.socialLogin.redirectOrigins': ['https://evil.example'],
  }
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  const stored = async () => (await service.admin.get(`${config}/export`)).body.data

  it('are changed by super-admins only', async () => {
    const before = await stored()
    const admin = await newAdmin(service, 'admin')
    const token = await newApiToken(service, ['admin:config:write', 'admin:config:read'])
    const full = await newApiToken(service, ['admin:*'])
    for (const { client } of [admin, token, full]) {
      for (const [key, value] of Object.entries(reserved)) {
        const answer = expectStatus(await client.put(config, { 'site.name': 'x', [key]: value }), 403)
        assert.match(
          answer.body.error.message,
          new RegExp(`^not allowed: ${key} says where secrets are sent`),
        )
      }
      const { applied, skipped } = expectStatus(
        await client.post(`${config}/import`, { ...reserved, 'site.description': 'y' }),
        200,
      ).body.data
      assert.deepEqual(applied, ['site.description'])
      assert.deepEqual(skipped.map(({ key }: { key: string }) => key).sort(), Object.keys(reserved).sort())
      // What was read can be sent back.
      expectStatus(
        await client.put(config, Object.fromEntries(Object.keys(reserved).map((key) => [key, null]))),
        200,
      )
      const again = (await client.post(`${config}/import`, await stored())).body.data.skipped
      // The environment of the tests locks one.
      assert.deepEqual(
        again.map(({ key }: { key: string }) => key),
        ['overload.enabled'],
      )
    }
    assert.deepEqual({ ...(await stored()), 'site.description': before['site.description'] }, before)
    expectStatus(await service.admin.put(config, reserved), 200)
    expectStatus(await token.client.put(config, { 'email.host': null }), 403)
    expectStatus(await token.client.put(config, { 'email.host': 'evil.example' }), 200)
  })

  it('stay as they are where somebody else restores settings', slow, async () => {
    expectStatus(await service.admin.put(config, { 'email.host': 'evil.example', 'site.name': 'Then' }), 200)
    const made = await service.admin.post('/api/admin/backups', { sections: { config: true } })
    const { id } = expectStatus(made, 201).body.data
    const now = { 'email.host': 'smtp.example.com', 'email.user': 'now', 'site.name': 'Now' }
    expectStatus(await service.admin.put(config, now), 200)
    const token = await newApiToken(service, ['admin:backups:write', 'admin:config:write'])
    const restored = expectStatus(await token.client.post(`/api/admin/backups/${id}/restore`), 200).body.data
    const skipped = restored.skippedSettings.map(({ key }: { key: string }) => key)
    assert.ok(skipped.includes('email.host') && !skipped.includes('site.name'))
    const after = await stored()
    assert.deepEqual(
      [after['email.host'], after['email.user'], after['site.name']],
      ['smtp.example.com', 'now', 'Then'],
    )
    expectStatus(await service.admin.post(`/api/admin/backups/${id}/restore`), 200)
    assert.equal((await stored())['email.host'], 'evil.example')
  })
})

describe('the SMTP password', () => {
  let open: MailServer
  before(async () => {
    open = await startMailServer({ isOpen: true })
  })
  after(() => open?.close())

  it('is sent to the server that was set where it was set, and to no other one', () =>
    withService({ ...account, SVC_EMAIL_ALLOW_UNENCRYPTED_AUTH: 'true' }, async ({ admin }) => {
      const server = { 'email.host': '127.0.0.1', 'email.port': open.port }
      expectStatus(await admin.put(config, server), 200)
      const before = open.mails.length
      assert.deepEqual(await sendTest(admin), { sent: true, error: null, connection: notEncrypted })
      assert.equal(open.mails.length, before + 1)
      assert.deepEqual(open.passwords, [])
    }))

  it('is not sent for another user either, and whoever looks is told why', async () => {
    const closed = await startMailServer()
    const { SVC_EMAIL_USER: _, ...rest } = account
    const env = {
      ...rest,
      SVC_EMAIL_HOST: '127.0.0.1',
      SVC_EMAIL_PORT: String(closed.port),
      SVC_EMAIL_ALLOW_UNENCRYPTED_AUTH: 'true',
    }
    await withService(env, async ({ admin }) => {
      expectStatus(await admin.put(config, { 'email.user': smtpUser }), 200)
      const { sent, error } = await sendTest(admin)
      assert.equal(sent, false)
      assert.match(error, /the password was not sent/)
    }).finally(() => closed.close())
    assert.deepEqual(closed.passwords, [])
  })

  for (const offersTls of [false, true]) {
    it(`is not sent ${offersTls ? 'to a server that cannot prove who it is' : 'without encryption'}`, async () => {
      const server = await startMailServer({ offersTls, isOpen: true })
      const env = { ...account, SVC_EMAIL_HOST: '127.0.0.1', SVC_EMAIL_PORT: String(server.port) }
      await withService(env, async ({ admin }) => {
        const { sent, error } = await sendTest(admin)
        assert.equal(sent, false)
        assert.match(error, offersTls ? /certificate/ : /STARTTLS/)
      }).finally(() => server.close())
      assert.deepEqual([server.passwords, server.mails], [[], []])
    })
  }
})

describe('a mail server that was set at run time', () => {
  let server: MailServer
  before(async () => {
    server = await startMailServer({ isOpen: true })
  })
  after(() => server?.close())

  const production = {
    NODE_ENV: 'production',
    JWT_SECRET: 'a secret that is long enough for production, made for tests',
    SVC_EMAIL_FROM: 'cms@example.com',
  }

  it('has a public address in production', () =>
    withService(production, async ({ admin }) => {
      for (const host of ['127.0.0.1', 'localhost', '2130706433', '::1', '10.0.0.1', '169.254.169.254']) {
        expectStatus(await admin.put(config, { 'email.host': host, 'email.port': server.port }), 200)
        const { sent, error } = await sendTest(admin)
        assert.deepEqual([host, sent], [host, false])
        assert.match(
          error,
          /addresses are not reached from production; set email\.allowPrivateNetworks/,
          host,
        )
      }
      assert.equal(server.attempts, 0)
    }))

  it('may be anywhere where the environment names it, or says so', slow, async () => {
    const named = { SVC_EMAIL_HOST: '127.0.0.1', SVC_EMAIL_PORT: String(server.port) }
    await withService({ ...production, ...named }, async ({ admin }) => {
      assert.deepEqual(await sendTest(admin), { sent: true, error: null, connection: notEncrypted })
    })
    await withService({ ...production, SVC_EMAIL_ALLOW_PRIVATE_NETWORKS: 'true' }, async ({ admin }) => {
      expectStatus(await admin.put(config, { 'email.host': '127.0.0.1', 'email.port': server.port }), 200)
      assert.deepEqual(await sendTest(admin), { sent: true, error: null, connection: notEncrypted })
    })
  })
})
