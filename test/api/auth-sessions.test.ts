import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type AccountEvent,
  loggedIn,
  loggedOut,
  loginFailed,
  passwordChanged,
} from '../../core-plugins/accounts/auth/auth.ts'
import { definePlugin } from '../../kernel/index.ts'
import { createClient } from '../support/client.ts'
import { adminEmail, adminPassword } from '../support/project.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, goodPassword, login, newAdmin, newNames, newUser, problemsOf } from './auth-callers.ts'

interface Told {
  readonly hook: string
  readonly kind: string
  readonly id?: number
  readonly identifier?: string
}

const told: Told[] = []

const audience = definePlugin({
  name: 'audience',
  description: 'Keeps what it hears of sessions',
  register({ on }) {
    for (const hook of [loggedIn, loginFailed, loggedOut, passwordChanged]) {
      on<AccountEvent | { kind: 'admin' | 'user'; identifier: string }>(hook, (payload) => {
        told.push({ hook: hook.id, ...payload })
      })
    }
  },
})

describe('sessions', () => {
  let service: TestService
  before(async () => {
    service = await startService({ plugins: [audience] })
  })
  after(() => service.stop())

  const systems = [
    { path: 'admin/auth', create: (role = 'editor') => newAdmin(service, role) },
    { path: 'auth', create: () => newUser(service) },
  ] as const

  it('begin with the first admin, who has to change the password', async () => {
    const answer = await service.post('/api/admin/auth/login', {
      identifier: 'admin',
      password: adminPassword,
    })
    const { user, token, mustChangePassword } = expectStatus(answer, 200).body.data
    assert.equal(mustChangePassword, true)
    assert.deepEqual(
      { email: user.email, username: user.username, role: user.role, must: user.mustChangePassword },
      { email: adminEmail, username: 'admin', role: 'super-admin', must: true },
    )
    const me = await createClient(service.url, token).get('/api/admin/auth/me')
    assert.deepEqual(me.body.data, user)
  })

  for (const { path, create } of systems) {
    describe(path, () => {
      it('answers token and account, by e-mail address in any case and by username', async () => {
        const caller = await create()
        for (const identifier of [caller.email, caller.email.toUpperCase(), caller.username]) {
          const answer = await service.post(`/api/${path}/login`, { identifier, password: goodPassword })
          const { token, user, expiresAt } = expectStatus(answer, 200).body.data
          assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
          assert.equal(user.id, caller.id)
          assert.ok(Date.parse(expiresAt) > Date.now() + 6 * 86_400_000)
          assert.ok(!JSON.stringify(answer.body).includes('argon2'))
        }
      })

      it('answers the same for a wrong password and an unknown identifier', async () => {
        const { email } = await create()
        const attempts = [email, newNames().email, newNames().username]
        const answers = await Promise.all(
          attempts.map((identifier) => service.post(`/api/${path}/login`, { identifier, password: 'wrong' })),
        )
        for (const answer of answers) {
          expectStatus(answer, 401)
          assert.equal(answer.body.error.code, 'UNAUTHENTICATED')
          assert.equal(answer.body.error.message, answers[0]?.body.error.message)
        }
      })

      it('tells who is signed in', async () => {
        const { client, id, email, username } = await create()
        const { data } = expectStatus(await client.get(`/api/${path}/me`), 200).body
        assert.deepEqual([data.id, data.email, data.username], [id, email, username])
        expectStatus(await service.get(`/api/${path}/me`), 401)
      })

      it('ends a session at once, and only that one', async () => {
        const caller = await create()
        const other = await login(service, path, caller)
        expectStatus(await caller.client.get(`/api/${path}/me`), 200)
        expectStatus(await caller.client.post(`/api/${path}/logout`), 200)
        expectStatus(await caller.client.get(`/api/${path}/me`), 401)
        expectStatus(await caller.client.post(`/api/${path}/logout`), 401)
        expectStatus(await other.client.get(`/api/${path}/me`), 200)
      })

      it('refreshes with a valid token, and keeps the old one for a while', async () => {
        const { client, token } = await create()
        const refreshed = expectStatus(await client.post(`/api/${path}/refresh`), 200).body.data
        assert.notEqual(refreshed.token, token)
        const renewed = createClient(service.url, refreshed.token)
        expectStatus(await renewed.get(`/api/${path}/me`), 200)
        expectStatus(await client.get(`/api/${path}/me`), 200)
        expectStatus(await client.post(`/api/${path}/refresh`), 200)
        expectStatus(await renewed.post(`/api/${path}/logout`), 200)
        expectStatus(await renewed.post(`/api/${path}/refresh`), 401)
        expectStatus(await service.post(`/api/${path}/refresh`), 401)
      })

      it('can be ended after a refresh, within the time that it stays valid', async () => {
        const { client } = await create()
        expectStatus(await client.post(`/api/${path}/refresh`), 200)
        expectStatus(await client.post(`/api/${path}/logout`), 200)
        expectStatus(await client.get(`/api/${path}/me`), 401)
      })

      it('changes the password and ends all sessions but the new one', async () => {
        const caller = await create()
        const other = await login(service, path, caller)
        const answer = await caller.client.post(`/api/${path}/change-password`, {
          currentPassword: goodPassword,
          newPassword: 'another horse battery',
        })
        const { token, user } = expectStatus(answer, 200).body.data
        assert.equal(user.id, caller.id)
        expectStatus(await caller.client.get(`/api/${path}/me`), 401)
        expectStatus(await other.client.get(`/api/${path}/me`), 401)
        expectStatus(await createClient(service.url, token).get(`/api/${path}/me`), 200)
        await login(service, path, { ...caller, password: 'another horse battery' })
        const identifier = caller.email
        const old = await service.post(`/api/${path}/login`, { identifier, password: goodPassword })
        expectStatus(old, 401)
      })

      it('changes no password for a wrong, an equal or a weak one', async () => {
        const { client, email } = await create()
        const change = (currentPassword: string, newPassword: string) =>
          client.post(`/api/${path}/change-password`, { currentPassword, newPassword })
        const wrong = expectStatus(await change('wrong', 'another horse battery'), 400)
        assert.deepEqual(problemsOf(wrong), { currentPassword: 'incorrect' })
        assert.deepEqual(problemsOf(await change(goodPassword, goodPassword)), { newPassword: 'unchanged' })
        assert.deepEqual(problemsOf(await change(goodPassword, 'short')), { newPassword: 'minLength' })
        assert.deepEqual(problemsOf(await change(goodPassword, 'baseball')), { newPassword: 'common' })
        assert.deepEqual(problemsOf(await change(goodPassword, email)), { newPassword: 'identifier' })
        expectStatus(await client.get(`/api/${path}/me`), 200)
      })

      it('counts wrong current passwords, so that a stolen session is of little use', async () => {
        const { client } = await create()
        const change = (currentPassword: string) =>
          client.post(`/api/${path}/change-password`, {
            currentPassword,
            newPassword: 'another horse battery',
          })
        for (let attempt = 0; attempt < 5; attempt++) expectStatus(await change('wrong'), 400)
        expectStatus(await change(goodPassword), 429)
      })

      it('tells the hooks', async () => {
        const { email, id, client } = await create()
        await service.post(`/api/${path}/login`, { identifier: email, password: 'wrong' })
        const change = { currentPassword: goodPassword, newPassword: 'another horse battery' }
        const { token } = expectStatus(await client.post(`/api/${path}/change-password`, change), 200).body
          .data
        expectStatus(await createClient(service.url, token).post(`/api/${path}/logout`), 200)
        const kind = path === 'auth' ? 'user' : 'admin'
        const mine = told.filter(
          (each) => each.kind === kind && (each.id === id || each.identifier === email),
        )
        assert.deepEqual(
          mine.map(({ hook }) => hook),
          ['auth:loggedIn', 'auth:loginFailed', 'auth:passwordChanged', 'auth:loggedOut'],
        )
      })

      it('refuses bodies that are not what it asks for', async () => {
        for (const body of [{}, { identifier: 'x' }, { identifier: 1, password: 'x' }, [], 'x']) {
          expectStatus(await service.post(`/api/${path}/login`, body), 400)
        }
        for (const identifier of ['a\u0000', '\ud800', 'x'.repeat(256), '']) {
          expectStatus(await service.post(`/api/${path}/login`, { identifier, password: 'y' }), 400)
        }
        for (const password of ['\u0001', '😀'.repeat(500)]) {
          const { username } = newNames()
          expectStatus(await service.post(`/api/${path}/login`, { identifier: username, password }), 401)
        }
        const more = await service.post(`/api/${path}/login`, {
          identifier: 'x',
          password: 'y',
          role: 'admin',
        })
        assert.deepEqual(problemsOf(expectStatus(more, 400)), { role: 'additionalProperties' })
      })
    })
  }

  it('of one system do not count in the other', async () => {
    const admin = await newAdmin(service, 'admin')
    const user = await newUser(service)
    expectStatus(await admin.client.get('/api/auth/me'), 401)
    expectStatus(await user.client.get('/api/admin/auth/me'), 401)
    const password = goodPassword
    expectStatus(await service.post('/api/auth/login', { identifier: admin.email, password }), 401)
    expectStatus(await service.post('/api/admin/auth/login', { identifier: user.email, password }), 401)
  })

  it('need the scheme Bearer, in any case', async () => {
    const { token } = await newUser(service)
    const me = (authorization: string) => service.get('/api/auth/me', { headers: { authorization } })
    expectStatus(await me(`Bearer ${token}`), 200)
    expectStatus(await me(`bearer ${token}`), 200)
    for (const header of [
      token,
      `Basic ${token}`,
      'Bearer',
      `Bearer ${token} x`,
      `Bearer ${'x'.repeat(5000)}`,
    ]) {
      const answer = expectStatus(await me(header), 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
  })

  it('do not keep anyone with an old token from signing in', async () => {
    const { email, password, client } = await newUser(service)
    expectStatus(await client.post('/api/auth/logout'), 200)
    expectStatus(await client.post('/api/auth/login', { identifier: email, password }), 200)
  })

  it('set a cookie that scripts and other sites cannot use, for admins only', async () => {
    const { email, password } = await newAdmin(service, 'editor')
    const answer = await service.post('/api/admin/auth/login', { identifier: email, password })
    const cookies = answer.headers.getSetCookie()
    const cookie = cookies.find((each) => each.startsWith('mortise_session=')) ?? ''
    assert.match(cookie, /^mortise_session=[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
    for (const each of cookies) assert.match(each, /; HttpOnly; SameSite=Strict$/)
    const sent = { headers: { cookie: cookie.split(';')[0] ?? '' } }
    expectStatus(await service.get('/api/admin/auth/me', sent), 401)
    expectStatus(await service.post('/api/admin/auth/logout', undefined, sent), 401)
    const user = await newUser(service)
    const login = { identifier: user.email, password: user.password }
    assert.equal((await service.post('/api/auth/login', login)).headers.get('set-cookie'), null)
  })
})
