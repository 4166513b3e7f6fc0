import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, goodPassword, newAdmin, newNames, newUser } from './auth-callers.ts'

eachDatabase((database) => {
  describe('lock-out', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database: database.name })
    })
    after(() => service.stop())

    const login = (identifier: string, password: string, system = 'auth') =>
      service.post(`/api/${system}/login`, { identifier, password })
    const fail = async (identifier: string, times: number, system = 'auth') => {
      for (let count = 0; count < times; count++) {
        expectStatus(await login(identifier, 'wrong', system), 401)
      }
    }

    it('answers 429 after five failed logins, also to the right password', async () => {
      const { email } = await newUser(service)
      await fail(email, 5)
      const answer = expectStatus(await login(email, goodPassword), 429)
      assert.equal(answer.body.error.code, 'RATE_LIMITED')
      const seconds = Number(answer.headers.get('retry-after'))
      assert.ok(seconds > 890 && seconds <= 900, String(seconds))
      assert.equal(answer.headers.get('ratelimit-limit'), '5')
      assert.equal(answer.headers.get('ratelimit-remaining'), '0')
      assert.equal(answer.headers.get('ratelimit-reset'), String(seconds))
      expectStatus(await login(email.toUpperCase(), goodPassword), 429)
    })

    it('does the same for identifiers that nobody has', async () => {
      const { email } = newNames()
      await fail(email, 5)
      expectStatus(await login(email, goodPassword), 429)
    })

    it('starts anew after a successful login', async () => {
      const { email } = await newUser(service)
      for (let round = 0; round < 2; round++) {
        await fail(email, 4)
        expectStatus(await login(email, goodPassword), 200)
      }
    })

    it('is one for each identifier and each system', async () => {
      const { email, username } = await newUser(service)
      await fail(email, 5)
      expectStatus(await login(username, goodPassword), 200)
      const admin = await newAdmin(service, 'editor')
      await fail(admin.email, 5)
      expectStatus(await login(admin.email, goodPassword, 'admin/auth'), 200)
    })

    it('lets many attempts at once try no more than five passwords', async () => {
      const { email } = await newUser(service)
      const answers = await Promise.all(Array.from({ length: 12 }, () => login(email, 'wrong')))
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.deepEqual([count(401), count(429)], [5, 7])
    })

    it('lets many sign in at once who know the password', async () => {
      const { email } = await newUser(service)
      const answers = await Promise.all(Array.from({ length: 8 }, () => login(email, goodPassword)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    })

    it('keeps no existing session from working', async () => {
      const { email, client } = await newUser(service)
      await fail(email, 5)
      expectStatus(await client.get('/api/auth/me'), 200)
    })

    it('ends with a password reset', async () => {
      const { email } = await newUser(service)
      await fail(email, 5)
      const { resetToken: token } = (await service.post('/api/auth/forgot-password', { email })).body.data
      const password = 'another horse battery'
      const body = { token, password, passwordConfirmation: password }
      expectStatus(await service.post('/api/auth/reset-password', body), 200)
      expectStatus(await login(email, password), 200)
    })
  })

  describe('lock-out over processes', () => {
    it('holds in all of them and after a restart', slow, async () => {
      const project = await database.createUrl()
      const start = () => startService({ database: { url: project.url } })
      const [first, second] = [await start(), await start()]
      const identifier = newNames().email
      const login = (service: TestService) =>
        service.post('/api/auth/login', { identifier, password: goodPassword })
      try {
        for (const service of [first, second, first, second, first]) expectStatus(await login(service), 401)
        expectStatus(await login(second), 429)
        expectStatus(await login(first), 429)
        await Promise.all([first.stop(), second.stop()])
        const third = await start()
        try {
          expectStatus(await login(third), 429)
        } finally {
          await third.stop()
        }
      } finally {
        await Promise.all([first.stop(), second.stop()])
        await project.drop()
      }
    })

    it('ends after the time that is set', async () => {
      const project = await database.createUrl()
      const env = { SVC_SECURITY_LOGIN_MAX_ATTEMPTS: '2' }
      const service = await startService({ database: { url: project.url }, env })
      const identifier = newNames().email
      const login = () => service.post('/api/auth/login', { identifier, password: goodPassword })
      try {
        expectStatus(await login(), 401)
        expectStatus(await login(), 401)
        expectStatus(await login(), 429)
        await endLocks(service)
        await until(async () => (await login()).status === 401)
      } finally {
        await service.stop()
        await project.drop()
      }
    })
  })
})

/** As if the time of all locks had passed. */
async function endLocks(service: TestService): Promise<void> {
  const { databaseService } = await import('../../core-plugins/foundation/database/database.ts')
  const { sql } = await import('drizzle-orm')
  const database = service.kernel.get(databaseService)
  const past = database.dialect.bind(new Date(Date.now() - 1000).toISOString(), 'datetime')
  const placeholder = database.dialect.placeholder('past', 'datetime')
  await database.run(database.prepare(sql`update svc_login_attempts set locked_until = ${placeholder}`), {
    past,
  })
}
