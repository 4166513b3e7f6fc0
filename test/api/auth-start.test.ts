import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StartupError } from '../../kernel/index.ts'
import { createClient, signIn } from '../support/client.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, login, newApiToken, newUser } from './auth-callers.ts'

describe('start of auth', () => {
  it('prints a made-up password of the first admin on one line, once', slow, async () => {
    const env = {
      DEFAULT_ADMIN_PASSWORD: '',
      DEFAULT_ADMIN_EMAIL: 'Root@Example.org',
      SVC_LOG_LEVEL: 'error',
    }
    await withProject({ env }, async (project) => {
      const linesOf = (output: string) => output.split('\n').filter((line) => line.includes('password:'))
      const first = startProcess({ project })
      const url = await first.ready()
      const [line = '', ...more] = linesOf(first.output())
      assert.deepEqual(more, [])
      const [, email = '', password = ''] = /(\S+@\S+) .*password: (\S+)/.exec(line) ?? []
      assert.equal(email, 'root@example.org')
      const admin = await signIn(url, email, password)
      assert.equal((await admin.get('/api/admin/auth/me')).body.data.mustChangePassword, true)
      const change = { currentPassword: password, newPassword: 'correct horse battery' }
      const { token, user } = expectStatus(await admin.post('/api/admin/auth/change-password', change), 200)
        .body.data
      assert.equal(user.mustChangePassword, false)
      const renewed = createClient(url, token)
      assert.equal((await renewed.get('/api/admin/auth/me')).body.data.mustChangePassword, false)
      await first.end('SIGTERM')

      const second = startProcess({ project })
      await second.ready()
      assert.deepEqual(linesOf(second.output()), [])
      await second.end('SIGTERM')
    })
  })

  it('keeps API tokens and ends sessions when the secret is another one', slow, async () => {
    await withProject({}, async ({ env }) => {
      const database = { url: env.DATABASE_URL ?? '' }
      const first = await startService({ database })
      const user = await newUser(first)
      const { token } = await newApiToken(first, ['content:read'])
      await first.stop()
      const second = await startService({
        database,
        env: { JWT_SECRET: 'another secret of 32 characters..' },
      })
      try {
        expectStatus(await createClient(second.url, user.token).get('/api/auth/me'), 401)
        expectStatus(await createClient(second.url, token).get('/api/content/article'), 200)
        await login(second, 'auth', user)
      } finally {
        await second.stop()
      }
    })
  })

  it('keeps sessions over a restart', async () => {
    await withProject({}, async ({ env }) => {
      const database = { url: env.DATABASE_URL ?? '' }
      const first = await startService({ database })
      const [stays, ends] = [await newUser(first), await newUser(first)]
      expectStatus(await ends.client.post('/api/auth/logout'), 200)
      await first.stop()
      const second = await startService({ database })
      try {
        expectStatus(await createClient(second.url, stays.token).get('/api/auth/me'), 200)
        expectStatus(await createClient(second.url, ends.token).get('/api/auth/me'), 401)
      } finally {
        await second.stop()
      }
    })
  })

  it('ends sessions after JWT_EXPIRES_IN', slow, async () => {
    const service = await startService({ env: { JWT_EXPIRES_IN: '2s' } })
    try {
      const { client } = await newUser(service)
      expectStatus(await client.get('/api/auth/me'), 200)
      await until(async () => (await client.get('/api/auth/me')).status === 401)
    } finally {
      await service.stop()
    }
  })

  it('needs a secret in production, and warns of a weak one', async () => {
    for (const JWT_SECRET of ['', 'changeme']) {
      const start = startService({ env: { NODE_ENV: 'production', JWT_SECRET } })
      await assert.rejects(
        start,
        (error) => error instanceof StartupError && /JWT_SECRET/.test(error.message),
      )
    }
    const service = await startService({ env: { NODE_ENV: 'production', JWT_SECRET: 'k3J9-short' } })
    await service.stop()
    assert.ok(service.logLines.some(({ level, message }) => level === 'warn' && /JWT_SECRET/.test(message)))
  })

  it('makes up a secret in development, and says so', async () => {
    const service = await startService({ env: { JWT_SECRET: 'secret' } })
    try {
      assert.ok(service.logLines.some(({ level, message }) => level === 'warn' && /JWT_SECRET/.test(message)))
      const { client } = await newUser(service)
      expectStatus(await client.get('/api/auth/me'), 200)
    } finally {
      await service.stop()
    }
  })
})
