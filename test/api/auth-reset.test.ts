import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { passwordReset } from '../../core-plugins/accounts/auth/auth.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { createClient } from '../support/client.ts'
import { adminPassword } from '../support/project.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, goodPassword, newNames, newUser, problemsOf } from './auth-callers.ts'

const newPassword = 'another horse battery'

interface Issued {
  readonly userId: number
  readonly email: string
  readonly token: string
}

function listening(issued: Issued[]) {
  return definePlugin({
    name: 'mailer',
    description: 'Keeps what it would mail',
    register: ({ on }) => on(passwordReset, (payload) => issued.push(payload)),
  })
}

describe('password reset', () => {
  let service: TestService
  const issued: Issued[] = []
  before(async () => {
    service = await startService({ plugins: [listening(issued)] })
  })
  after(() => service.stop())

  it('reads no more of a body of strangers than there can be in it', async () => {
    const paths = ['auth/login', 'auth/forgot-password', 'auth/reset-password']
    for (const path of [...paths, ...paths.map((each) => `admin/${each}`), 'admin/auth/accept-invitation']) {
      expectStatus(await service.post(`/api/${path}`, { token: 'x'.repeat(40_000) }), 413)
    }
    // The longest passwords, with all characters escaped.
    const password = '😀'.repeat(1024)
    const escaped = JSON.stringify({ token: 'x', password, passwordConfirmation: password }).replace(
      /[\ud800-\udfff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
    )
    const headers = { 'content-type': 'application/json' }
    expectStatus(await service.post('/api/auth/reset-password', escaped, { headers }), 400)
  })

  const forgot = async (email: string) =>
    expectStatus(await service.post('/api/auth/forgot-password', { email }), 200).body.data.resetToken
  const reset = (token: string, password = newPassword, passwordConfirmation = password) =>
    service.post('/api/auth/reset-password', { token, password, passwordConfirmation })
  const login = (identifier: string, password: string) =>
    service.post('/api/auth/login', { identifier, password })

  it('sets a new password and ends all sessions', async () => {
    const { email, id, client } = await newUser(service)
    const token = await forgot(email.toUpperCase())
    await until(async () => issued.some((each) => each.token === token))
    const told = issued.find((each) => each.token === token)
    assert.deepEqual([told?.userId, told?.email], [id, email])
    assert.equal(expectStatus(await reset(token), 200).body.data.id, id)
    expectStatus(await client.get('/api/auth/me'), 401)
    expectStatus(await login(email, goodPassword), 401)
    expectStatus(await login(email, newPassword), 200)
  })

  it('works once, also for many at the same time', async () => {
    const { email } = await newUser(service)
    const token = await forgot(email)
    const answers = await Promise.all(Array.from({ length: 4 }, () => reset(token)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.deepEqual(problemsOf(expectStatus(await reset(token), 400)), { token: 'invalid' })
  })

  it('is over for every token when the password was changed', async () => {
    const { email } = await newUser(service)
    const [first, second] = [await forgot(email), await forgot(email)]
    expectStatus(await reset(first), 200)
    expectStatus(await reset(second), 400)
    const third = await forgot(email)
    const { token } = expectStatus(await login(email, newPassword), 200).body.data
    const change = { currentPassword: newPassword, newPassword: goodPassword }
    const client = createClient(service.url, token)
    expectStatus(await client.post('/api/auth/change-password', change), 200)
    expectStatus(await reset(third), 400)
  })

  it('keeps the token when the new password is refused', async () => {
    const { email } = await newUser(service)
    const token = await forgot(email)
    assert.deepEqual(problemsOf(await reset(token, newPassword, 'something else')), {
      passwordConfirmation: 'mismatch',
    })
    assert.deepEqual(problemsOf(await reset(token, 'short')), { password: 'minLength' })
    assert.deepEqual(problemsOf(await reset(token, email)), { password: 'identifier' })
    expectStatus(await reset(token), 200)
  })

  it('answers 200 for an address that nobody has', async () => {
    assert.equal(await forgot(newNames().email), undefined)
    expectStatus(await service.post('/api/auth/forgot-password', { email: 'nobody' }), 400)
  })

  it('is not for blocked accounts', async () => {
    const { id, email } = await newUser(service)
    const before = await forgot(email)
    expectStatus(await service.admin.put(`/api/admin/content-users/${id}`, { blocked: true }), 200)
    assert.equal(await forgot(email), undefined)
    expectStatus(await reset(before), 400)
  })

  it('floods nobody with mails', async () => {
    const { email } = await newUser(service)
    const tokens = []
    for (let count = 0; count < 7; count++) tokens.push(await forgot(email))
    assert.equal(tokens.filter((token) => token !== undefined).length, 5)
  })

  it('refuses tokens that are unknown or older than an hour', async () => {
    expectStatus(await reset('x'.repeat(43)), 400)
    const { email } = await newUser(service)
    const token = await forgot(email)
    const database = service.kernel.get(databaseService)
    const past = database.dialect.bind(new Date(Date.now() - 1000).toISOString(), 'datetime')
    const statement = sql`update svc_password_resets set expires_at = ${database.dialect.placeholder('past', 'datetime')}`
    await database.run(database.prepare(statement), { past })
    expectStatus(await reset(token), 400)
  })
})

describe('in production', () => {
  it('the hook alone gets the token, and cookies are for encrypted connections', async () => {
    const issued: Issued[] = []
    const service = await startService({ plugins: [listening(issued)], env: { NODE_ENV: 'production' } })
    try {
      const { email } = await newUser(service)
      const known = await service.post('/api/auth/forgot-password', { email })
      const unknown = await service.post('/api/auth/forgot-password', { email: newNames().email })
      assert.deepEqual(expectStatus(known, 200).body, { success: true, data: {} })
      assert.deepEqual(expectStatus(unknown, 200).body, known.body)
      await until(async () => issued.length === 1)
      const token = issued[0]?.token ?? ''
      const body = { token, password: newPassword, passwordConfirmation: newPassword }
      expectStatus(await service.post('/api/auth/reset-password', body), 200)
      const admin = { identifier: 'admin', password: adminPassword }
      const signedIn = await service.post('/api/admin/auth/login', admin)
      assert.match(signedIn.headers.get('set-cookie') ?? '', /; Secure$/)
    } finally {
      await service.stop()
    }
  })
})
