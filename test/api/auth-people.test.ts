import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type MailServer, startMailServer } from '../email/mail-server.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  type Caller,
  expectStatus,
  goodPassword,
  login,
  newAdmin,
  newNames,
  newUser,
  problemsOf,
} from './auth-callers.ts'

const newPassword = 'another horse battery'
const panel = 'https://example.com/cms'
const linkPattern = /https:\/\/example\.com\/cms\/admin\/sign-in#(invitation|reset)=([\w-]+)/

eachDatabase((database) => {
  let service: TestService
  let server: MailServer
  before(async () => {
    server = await startMailServer({ isOpen: true })
    service = await startService({
      database: database.name,
      env: {
        SVC_EMAIL_HOST: '127.0.0.1',
        SVC_EMAIL_PORT: String(server.port),
        SVC_EMAIL_FROM: 'cms@example.com',
        SVC_SITE_URL: 'https://www.example.com/blog',
        SVC_SITE_PANEL_URL: `${panel}/`,
        SVC_SITE_NAME: 'Nowhere & <Co>',
      },
    })
  })
  after(async () => {
    await service.stop()
    await server.close()
  })

  /** What the next mail says, and the token in it. */
  async function mailAfter(request: () => Promise<unknown>) {
    const before = server.mails.length
    await request()
    const mail = (await server.gets(before + 1))[before]
    const [, purpose, token = ''] = linkPattern.exec(mail?.source ?? '') ?? []
    return { to: mail?.to, source: mail?.source ?? '', purpose, token }
  }

  const withToken =
    (path: string) =>
    (token: string, password = newPassword) =>
      service.post(`/api/admin/auth/${path}`, { token, password, passwordConfirmation: password })
  const accept = withToken('accept-invitation')
  const reset = withToken('reset-password')
  const forgot = (email: string, headers = {}) =>
    service.request('POST', '/api/admin/auth/forgot-password', { body: { email }, headers })
  const invite = (person: object, by = service.admin) => by.post('/api/admin/users/invitations', person)

  const actions = async () =>
    (await service.admin.get('/api/admin/audit-logs?limit=100')).body.data.map(
      ({ action }: { action: string }) => action,
    )

  it('invites an admin user, who sets a password once and by this link only', async () => {
    const names = { ...newNames(), username: `<b>"${database.name}"</b>` }
    let invited: { id: number; invitation: unknown } | undefined
    const mail = await mailAfter(async () => {
      const answer = expectStatus(await invite({ ...names, role: 'editor' }), 201)
      invited = answer.body.data
      assert.equal(answer.body.data.invited, true)
      assert.equal(answer.body.data.invitation.link, null)
    })
    assert.deepEqual([mail.to, mail.purpose], [[names.email], 'invitation'])
    assert.ok(mail.source.includes('&lt;b&gt;&quot;') && mail.source.includes('Nowhere &amp; &lt;Co&gt;'))
    assert.ok(!JSON.stringify([invited, service.logLines]).includes(mail.token))
    // Without a password, nobody signs in, and a link for a new one is no way around the time limit.
    const other = await newAdmin(service, 'editor')
    const mailed = await mailAfter(async () => {
      await forgot(names.email)
      await forgot(other.email)
    })
    assert.deepEqual(mailed.to, [other.email])
    for (const password of ['', ' ', goodPassword]) {
      const answer = await service.post('/api/admin/auth/login', { identifier: names.email, password })
      assert.ok([400, 401].includes(answer.status))
    }
    assert.deepEqual(problemsOf(expectStatus(await reset(mail.token), 400)), { token: 'invalid' })
    assert.deepEqual(problemsOf(expectStatus(await accept(mail.token, 'short'), 400)), {
      password: 'minLength',
    })
    const answers = await Promise.all([accept(mail.token), accept(mail.token), accept(mail.token)])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    expectStatus(await accept(mail.token), 400)
    const { client } = await login(service, 'admin/auth', { email: names.email, password: newPassword })
    const me = (await client.get('/api/admin/auth/me')).body.data
    assert.deepEqual([me.id, me.role, me.invited], [invited?.id, 'editor', false])
    expectStatus(await service.admin.post(`/api/admin/users/${invited?.id}/invitation`), 409)
    assert.ok((await actions()).includes('auth.invitation_accepted'))
  })

  it('sends an invitation again; former links, and those to a former address, are void', async () => {
    const names = newNames()
    let id = 0
    const first = await mailAfter(async () => {
      id = expectStatus(await invite({ ...names, role: 'editor' }), 201).body.data.id
    })
    const again = () => service.admin.post(`/api/admin/users/${id}/invitation`)
    const second = await mailAfter(async () => expectStatus(await again(), 200))
    expectStatus(await accept(first.token), 400)
    const email = `new-${names.email}`
    expectStatus(await service.admin.put(`/api/admin/users/${id}`, { email }), 200)
    expectStatus(await accept(second.token), 400)
    const third = await mailAfter(again)
    assert.deepEqual(third.to, [email])
    expectStatus(await service.admin.put(`/api/admin/users/${id}`, { blocked: true }), 200)
    expectStatus(await accept(third.token), 400)
  })

  it('lets only super-admins invite, with roles that there are, and tells all problems', async () => {
    const [admin, editor] = await Promise.all([newAdmin(service, 'admin'), newAdmin(service, 'editor')])
    for (const { client } of [admin, editor]) {
      expectStatus(await invite({ ...newNames(), role: 'editor' }, client), 403)
      expectStatus(await client.post(`/api/admin/users/${editor.id}/invitation`), 403)
    }
    const wrong = await invite({ email: 'nobody', username: 'a@b', role: 'authenticated' })
    assert.deepEqual(Object.keys(problemsOf(expectStatus(wrong, 400))).sort(), ['email', 'role', 'username'])
    const roles = expectStatus(await admin.client.get('/api/admin/roles'), 200).body.data
    const held = roles.find(({ name }: { name: string }) => name === 'editor').holders
    const listed = await admin.client.get('/api/admin/users?role=editor&limit=1')
    assert.equal(expectStatus(listed, 200).body.pagination.total, held.admin_users)
    const query = `role=editor&search=${encodeURIComponent(editor.username)}`
    const found = expectStatus(await admin.client.get(`/api/admin/users?${query}`), 200).body.data
    assert.deepEqual(
      found.map(({ id }: { id: number }) => id),
      [editor.id],
    )
    const taken = await invite({ email: editor.email, username: newNames().username, role: 'editor' })
    assert.deepEqual(problemsOf(expectStatus(taken, 409)), { email: 'unique' })
  })

  it('mails a link for a new password, which works once and ends all sessions', async () => {
    const editor = await newAdmin(service, 'editor')
    const poison = { 'x-forwarded-host': 'evil.example.com', origin: 'https://evil.example.com' }
    const mail = await mailAfter(async () =>
      expectStatus(await forgot(editor.email.toUpperCase(), poison), 200),
    )
    assert.deepEqual([mail.to, mail.purpose], [[editor.email], 'reset'])
    assert.ok(!mail.source.includes('evil'))
    const asContentUser = { token: mail.token, password: newPassword, passwordConfirmation: newPassword }
    expectStatus(await service.post('/api/auth/reset-password', asContentUser), 400)
    expectStatus(await accept(mail.token), 400)
    expectStatus(await reset(mail.token), 200)
    expectStatus(await reset(mail.token), 400)
    expectStatus(await editor.client.get('/api/admin/auth/me'), 401)
    await login(service, 'admin/auth', { email: editor.email, password: newPassword })
    const recorded = await actions()
    assert.ok(recorded.includes('auth.password_forgotten') && recorded.includes('auth.password_change'))
  })

  it('answers the same for everybody, and floods nobody', async () => {
    const [editor, user] = [await newAdmin(service, 'editor'), await newUser(service)]
    const before = server.mails.length
    const known = expectStatus(await forgot(editor.email), 200).body
    // A content user has another kind of account, with links of their own.
    for (const email of [newNames().email, user.email]) assert.deepEqual((await forgot(email)).body, known)
    assert.deepEqual(known, { success: true, data: {} })
    for (let count = 0; count < 6; count++) await forgot(editor.email)
    await until(async () => server.mails.length >= before + 5)
    const sentinel = await newAdmin(service, 'editor')
    await mailAfterMany(() => forgot(sentinel.email), before + 6)
  })

  /** Whatever was asked for earlier has been decided by then: it would stand before this one. */
  async function mailAfterMany(request: () => Promise<unknown>, count: number) {
    await request()
    const mails = await server.gets(count)
    assert.equal(mails.length, count)
  }

  it('keeps the own profile; a new address takes the password', async () => {
    const editor = await newAdmin(service, 'editor')
    const put = (body: object) => editor.client.put('/api/admin/auth/me', body)
    const { email, username } = newNames()
    assert.equal(expectStatus(await put({ username }), 200).body.data.username, username)
    assert.deepEqual(problemsOf(expectStatus(await put({ email }), 400)), { currentPassword: 'required' })
    assert.deepEqual(problemsOf(expectStatus(await put({ email, currentPassword: 'x' }), 400)), {
      currentPassword: 'incorrect',
    })
    expectStatus(await put({ role: 'super-admin' }), 400)
    const sent = await mailAfter(() => forgot(editor.email))
    assert.equal(
      expectStatus(await put({ email, currentPassword: goodPassword }), 200).body.data.email,
      email,
    )
    expectStatus(await reset(sent.token), 400)
    assert.equal(expectStatus(await put({ email: email.toUpperCase() }), 200).body.data.role, 'editor')
    const other = await newAdmin(service, 'editor')
    assert.deepEqual(problemsOf(expectStatus(await put({ username: other.username }), 409)), {
      username: 'unique',
    })
  })

  it('shows the own sessions, and ends them', async () => {
    const editor = await newAdmin(service, 'editor')
    const stranger = await newAdmin(service, 'super-admin')
    const laptop = await signInWith(editor, 'Laptop/1.0')
    const phone = await signInWith(editor, `Phone/${'9'.repeat(400)}`)
    const list = async (client = laptop) =>
      expectStatus(await client.get('/api/admin/auth/sessions'), 200).body.data
    const sessions: { id: number; current: boolean; user_agent: string; address: string }[] = await list()
    assert.equal(sessions.length, 3)
    assert.deepEqual(
      sessions.filter(({ current }) => current).map((each) => each.user_agent),
      ['Laptop/1.0'],
    )
    assert.ok(sessions.every(({ address, user_agent }) => address !== '' && user_agent.length <= 255))
    const { id } = sessions.find(({ user_agent }) => user_agent.startsWith('Phone')) ?? { id: 0 }
    expectStatus(await stranger.client.delete(`/api/admin/auth/sessions/${id}`), 404)
    expectStatus(await laptop.delete(`/api/admin/auth/sessions/${id}`), 200)
    expectStatus(await phone.get('/api/admin/auth/me'), 401)
    expectStatus(await laptop.delete(`/api/admin/auth/sessions/${id}`), 404)

    const renewed = expectStatus(await laptop.post('/api/admin/auth/refresh'), 200).body.data.token
    const here = createClient(service.url, renewed)
    assert.equal((await list(here)).length, 2)
    const kept = expectStatus(await here.post('/api/admin/auth/sessions/end', { keepThis: true }), 200).body
      .data
    expectStatus(await editor.client.get('/api/admin/auth/me'), 401)
    expectStatus(await here.get('/api/admin/auth/me'), 401)
    const last = createClient(service.url, kept.token)
    assert.deepEqual(
      (await list(last)).map(({ current }: { current: boolean }) => current),
      [true],
    )
    expectStatus(await last.post('/api/admin/auth/sessions/end', { keepThis: false }), 200)
    expectStatus(await last.get('/api/admin/auth/me'), 401)
    assert.equal((await list(stranger.client)).length, 1)
  })

  async function signInWith({ email, password }: Caller, userAgent: string) {
    const answer = await service.request('POST', '/api/admin/auth/login', {
      body: { identifier: email, password },
      headers: { 'user-agent': userAgent },
    })
    return createClient(service.url, expectStatus(answer, 200).body.data.token)
  }

  it('keeps people from locking themselves out, and from reaching more by another’s address', async () => {
    const [first, second] = await Promise.all([
      newAdmin(service, 'super-admin'),
      newAdmin(service, 'super-admin'),
    ])
    for (const change of [{ role: 'editor' }, { blocked: true }]) {
      expectStatus(await first.client.put(`/api/admin/users/${first.id}`, change), 409)
    }
    expectStatus(await first.client.delete(`/api/admin/users/${first.id}`), 409)
    expectStatus(await first.client.put(`/api/admin/users/${second.id}`, { role: 'editor' }), 200)

    const roles = (await service.admin.get('/api/admin/roles')).body.data
    const { id, permissions } = roles.find(({ name }: { name: string }) => name === 'admin')
    const less = { ...permissions, content: { '*': { read: true } } }
    expectStatus(await service.admin.put(`/api/admin/roles/${id}`, { permissions: less }), 200)
    const admin = await newAdmin(service, 'admin')
    const path = `/api/admin/users/${second.id}`
    expectStatus(await admin.client.put(path, { email: newNames().email }), 403)
    expectStatus(await admin.client.put(path, { email: second.email, blocked: true }), 200)
    expectStatus(await service.admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
  })
})
