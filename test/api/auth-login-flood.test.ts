import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { createLoginAttempts } from '../../core-plugins/accounts/auth/sign-in/login-attempts.ts'
import { configService } from '../../core-plugins/foundation/config/config.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { openConnection, statusesIn } from '../http/raw-connection.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, goodPassword, newAdmin, newNames, newUser } from './auth-callers.ts'

const minuteMs = 60_000

describe('logins from many places', () => {
  let service: TestService
  before(async () => {
    const env = {
      SVC_SERVER_TRUST_PROXY: 'loopback',
      SVC_SECURITY_LOGIN_MAX_PER_ADDRESS: '3',
      SVC_SECURITY_LOGIN_MAX_PER_NETWORK: '5',
      SVC_SECURITY_LOGIN_MAX_ATTEMPTS: '100',
    }
    service = await startService({ env })
  })
  after(() => service.stop())

  const login = (identifier: string, password: string, from: string) =>
    service.post('/api/auth/login', { identifier, password }, { headers: { 'x-forwarded-for': from } })
  const fail = async (from: string, times: number) => {
    for (let count = 0; count < times; count++) {
      expectStatus(await login(newNames().email, 'wrong', from), 401)
    }
  }

  it('are counted by address, whoever they are for', async () => {
    const { email } = await newUser(service)
    await fail('192.0.2.1', 3)
    const answer = expectStatus(await login(email, goodPassword, '192.0.2.1'), 429)
    assert.equal(answer.body.error.code, 'RATE_LIMITED')
    const seconds = Number(answer.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
    expectStatus(await login(email, goodPassword, '192.0.2.2'), 200)
  })

  it('are counted by the address that the proxy has added in a line of its own', async () => {
    const attempt = async (count: number) => {
      const body = JSON.stringify({ identifier: newNames().email, password: 'wrong' })
      const lines = [
        ...['POST /api/auth/login HTTP/1.1', 'host: x', 'content-type: application/json'],
        `content-length: ${body.length}`,
        ...[`x-forwarded-for: 203.0.113.${count}`, 'x-forwarded-for: 192.0.8.1', '', body],
      ]
      const connection = await openConnection(service.url)
      connection.write(lines.join('\r\n'))
      const [status] = statusesIn(await connection.read())
      connection.close()
      return status
    }
    const statuses: unknown[] = []
    for (let count = 0; count < 5; count++) statuses.push(await attempt(count))
    assert.deepEqual(statuses, [401, 401, 401, 429, 429])
  })

  it('are counted when many come at once', async () => {
    const attempts = Array.from({ length: 10 }, () => login(newNames().email, 'wrong', '192.0.3.1'))
    const answers = await Promise.all(attempts)
    assert.equal(answers.filter(({ status }) => status === 401).length, 3)
    assert.equal(answers.filter(({ status }) => status === 429).length, 7)
  })

  it('are not counted where they succeed', async () => {
    const { email } = await newUser(service)
    for (let count = 0; count < 8; count++) {
      expectStatus(await login(email, goodPassword, '192.0.4.1'), 200)
    }
  })

  it('are counted by the network around the address', async () => {
    await fail('192.0.5.1', 3)
    await fail('192.0.5.2', 2)
    expectStatus(await login(newNames().email, 'wrong', '192.0.5.3'), 429)
    await fail('192.0.6.1', 1)
  })

  it('take a /64 of IPv6 for one address, and a /48 for its network', async () => {
    await fail('2001:db8:1:1::1', 2)
    await fail('2001:db8:1:1:ffff::2', 1)
    expectStatus(await login(newNames().email, 'wrong', '2001:db8:1:1::3'), 429)
    await fail('2001:db8:1:2::1', 2)
    expectStatus(await login(newNames().email, 'wrong', '2001:db8:1:3::1'), 429)
    await fail('2001:db8:2::1', 1)
  })

  it('keep no session that exists from working', async () => {
    const { client } = await newUser(service)
    await fail('192.0.7.1', 3)
    const headers = { 'x-forwarded-for': '192.0.7.1' }
    expectStatus(await client.get('/api/auth/me', { headers }), 200)
  })
})

describe('a flood of logins', slow, () => {
  it('is turned away, and keeps nobody else waiting', async () => {
    const env = { SVC_SERVER_TRUST_PROXY: 'loopback', SVC_SECURITY_LOGIN_MAX_PER_ADDRESS: '1000' }
    const limits = { SVC_SECURITY_LOGIN_MAX_PER_NETWORK: '1000' }
    const service = await startService({ env: { ...env, ...limits } })
    const admin = await newAdmin(service, 'editor')
    const post = (path: string, body: object, from: string) =>
      service.post(path, body, { headers: { 'x-forwarded-for': from } })
    try {
      let tried = 0
      const flood = Array.from({ length: 400 }, async () => {
        const body = { identifier: newNames().email, password: 'wrong' }
        const answer = await post('/api/auth/login', body, '192.0.2.1')
        if (answer.status === 401) tried++
        return answer
      })
      await Promise.race(flood)
      const credentials = { identifier: admin.email, password: goodPassword }
      expectStatus(await post('/api/admin/auth/login', credentials, '198.51.100.1'), 200)
      const triedBefore = tried
      const answers = await Promise.all(flood)
      assert.ok(triedBefore < tried, `all ${tried} others went before`)
      const refused = answers.filter(({ status }) => status === 503)
      assert.ok(refused.length > 200, String(refused.length))
      assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0))
    } finally {
      await service.stop()
    }
  })
})

eachDatabase((database) => {
  describe('a browser that has signed in before', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database: database.name })
    })
    after(() => service.stop())

    const login = (identifier: string, password: string, cookie?: string) => {
      const headers = cookie === undefined ? {} : { cookie }
      return service.post('/api/admin/auth/login', { identifier, password }, { headers })
    }
    const lock = async (identifier: string, cookie?: string) => {
      for (let count = 0; count < 5; count++) expectStatus(await login(identifier, 'wrong', cookie), 401)
    }
    const deviceOf = async (identifier: string) => {
      const { headers } = expectStatus(await login(identifier, goodPassword), 200)
      const cookie = headers.getSetCookie().find((line) => line.startsWith('mortise_device=')) ?? ''
      assert.match(cookie, /; HttpOnly; SameSite=Strict/)
      return cookie.split(';', 1)[0] ?? ''
    }

    it('is not locked out by others who fail on purpose', async () => {
      const { email } = await newAdmin(service, 'editor')
      const device = await deviceOf(email)
      await lock(email)
      expectStatus(await login(email, goodPassword), 429)
      expectStatus(await login(email, goodPassword, device), 200)
    })

    it('has a lock of its own', async () => {
      const { email } = await newAdmin(service, 'editor')
      const [first, second] = [await deviceOf(email), await deviceOf(email)]
      await lock(email, first)
      expectStatus(await login(email, goodPassword, first), 429)
      expectStatus(await login(email, goodPassword, second), 200)
      expectStatus(await login(email, goodPassword), 200)
    })

    it('is known by nothing that was forged, or is of somebody else', async () => {
      const [victim, other] = [await newAdmin(service, 'editor'), await newAdmin(service, 'editor')]
      const own = await deviceOf(victim.email)
      const foreign = await deviceOf(other.email)
      await lock(victim.email)
      const [, , expiresAt = ''] = own.split('.')
      const forged = [foreign, `${own.slice(0, -2)}xx`, own.replace(expiresAt, String(Number(expiresAt) + 1))]
      for (const cookie of forged) expectStatus(await login(victim.email, goodPassword, cookie), 429)
    })

    it('is signed in by nothing but the password', async () => {
      const { email } = await newAdmin(service, 'editor')
      const cookie = await deviceOf(email)
      expectStatus(await service.get('/api/admin/auth/me', { headers: { cookie } }), 401)
    })
  })

  describe('the window of failed logins', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database: database.name })
    })
    after(() => service.stop())

    /** As if the failures, and the rows themselves, were so much older. */
    async function age(byMs: number): Promise<void> {
      const store = service.kernel.get(databaseService)
      const select = sql`select subject, failures, updated_at from svc_login_attempts`
      const rows = await store.all(store.prepare(select), {})
      for (const row of rows as { subject: string; failures: string | number[]; updated_at: unknown }[]) {
        const failures = typeof row.failures === 'string' ? JSON.parse(row.failures) : row.failures
        const values = {
          subject: row.subject,
          failures: store.dialect.bind(
            failures.map((atMs: number) => atMs - byMs),
            'json',
          ),
          updatedAt: store.dialect.bind(new Date(Date.now() - byMs).toISOString(), 'datetime'),
        }
        const value = (name: string, kind: 'json' | 'datetime' | 'string') =>
          store.dialect.placeholder(name, kind)
        const update = sql`update svc_login_attempts set failures = ${value('failures', 'json')},
          updated_at = ${value('updatedAt', 'datetime')} where subject = ${value('subject', 'string')}`
        await store.run(store.prepare(update), values)
      }
    }

    const fail = async (identifier: string, times: number) => {
      for (let count = 0; count < times; count++) {
        const answer = await service.post('/api/auth/login', { identifier, password: 'wrong' })
        expectStatus(answer, 401)
      }
    }
    const isLocked = async (identifier: string) =>
      (await service.post('/api/auth/login', { identifier, password: 'wrong' })).status === 429

    it('counts what happened within it', async () => {
      const { email } = newNames()
      await fail(email, 4)
      await age(14 * minuteMs)
      await fail(email, 1)
      assert.ok(await isLocked(email))
    })

    it('forgets what happened before it', async () => {
      const { email } = newNames()
      await fail(email, 4)
      await age(16 * minuteMs)
      await fail(email, 4)
      assert.equal(await isLocked(email), false)
      assert.ok(await isLocked(email))
    })

    it('leaves no row behind when it and the lock are over', async () => {
      const attempts = createLoginAttempts(
        service.kernel.get(databaseService),
        service.kernel.get(configService),
      )
      const store = service.kernel.get(databaseService)
      const count = async () =>
        (await store.all(store.prepare(sql`select subject from svc_login_attempts`), {})).length
      await fail(newNames().email, 1)
      await age(29 * minuteMs)
      await attempts.removeExpired()
      assert.ok((await count()) > 0)
      await age(31 * minuteMs)
      await attempts.removeExpired()
      assert.equal(await count(), 0)
    })
  })
})
