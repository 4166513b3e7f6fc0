import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { emailAddressOf } from '../../core-plugins/foundation/http/http.ts'
import { type MailServer, startMailServer } from '../email/mail-server.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, goodPassword, newAdmin, problemsOf } from './auth-callers.ts'

const spellings = (own: string) => [
  `jörg-${own}@müller.example`,
  `JÖRG-${own.toUpperCase()}@MÜLLER.EXAMPLE`,
  `jo\u0308rg-${own}@mu\u0308ller.example`,
  `jörg-${own}@xn--mller-kva.example`,
  `jörg-${own}@XN--Mller-KVA.example`,
]

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
        SVC_EMAIL_FROM: 'cms@müller.example',
        SVC_SITE_URL: 'https://example.org/cms/',
        SVC_SECURITY_LOGIN_MAX_ATTEMPTS: '4',
        SVC_SECURITY_REGISTRATION_MAX_PER_ADDRESS: '1000',
        SVC_SECURITY_REGISTRATION_MAX_TAKEN_PER_ADDRESS: '1000',
      },
    })
  })
  after(async () => {
    await service.stop()
    await server.close()
  })

  const register = (email: string) =>
    service.post('/api/auth/register', { email, username: randomUUID(), password: goodPassword })

  it('keeps an internationalised address in one form, which no second account can have', async () => {
    const own = randomUUID()
    const [first = '', ...others] = spellings(own)
    const made = expectStatus(await register(first), 201).body.data
    assert.equal(made.email, `jörg-${own}@xn--mller-kva.example`)
    for (const email of others) {
      assert.deepEqual(problemsOf(expectStatus(await register(email), 409)), { email: 'unique' }, email)
    }
    for (const identifier of spellings(own)) {
      const answer = await service.post('/api/auth/login', { identifier, password: goodPassword })
      assert.equal(expectStatus(answer, 200).body.data.user.id, made.id, identifier)
    }
    // Another mailbox, not another spelling.
    expectStatus(await register(`jorg-${own}@müller.example`), 201)
    expectStatus(await register(`jörg-${own}@muller.example`), 201)
  })

  it('mails a reset to the address that is stored, whichever way it was asked for', async () => {
    const [first = '', upper = '', decomposed = ''] = spellings(randomUUID())
    expectStatus(await register(first), 201)
    // This server shows domains as people write them; what goes over the wire is seen by Postfix.
    const resets = () =>
      server.mails.filter(({ to, source }) => to[0] === first && /^Subject: A new/m.test(source))
    for (const [index, typed] of [upper, decomposed].entries()) {
      expectStatus(await service.post('/api/auth/forgot-password', { email: typed }), 200)
      await until(async () => resets().length === index + 1)
      const source = resets()[index]?.source ?? ''
      assert.match(source, /https:\/\/example\.org\/cms\/reset-password\?token=/)
      assert.match(source, /^Message-ID: <[\w-]+@xn--mller-kva\.example>/im)
    }
  })

  it('counts failures to sign in with any spelling together', async () => {
    const all = spellings(randomUUID())
    expectStatus(await register(all[0] ?? ''), 201)
    for (const identifier of all.slice(0, 4)) {
      expectStatus(await service.post('/api/auth/login', { identifier, password: 'wrong one' }), 401)
    }
    const answer = await service.post('/api/auth/login', { identifier: all[4], password: goodPassword })
    expectStatus(answer, 429)
  })

  it('refuses letters that would turn into those of another address', slow, async () => {
    for (const email of [
      'ni\u212Ae@example.com',
      'ａdmin@example.com',
      '\uFB01rst@example.com',
      'a\u200Bd\u00E4@example.com',
      'a\u00ADd\u00E4@example.com',
      'ä@example.com\r\nBcc: x@example.com',
      'ä@127.0.0.１',
      'ä@localhost',
      'ä@a..com',
      'ä@example.com/x',
      'ä b@example.com',
      `${'ä'.repeat(250)}@example.com`,
    ]) {
      assert.deepEqual(problemsOf(expectStatus(await register(email), 400)), { email: 'format' }, email)
    }
  })

  it('takes such letters for those of nobody when somebody signs in', async () => {
    const own = randomUUID()
    expectStatus(await register(`kate-${own}@example.com`), 201)
    for (const [letter, status] of [
      ['K', 200],
      ['\u212A', 401],
    ] as const) {
      const identifier = `${letter}ate-${own}@example.com`
      expectStatus(await service.post('/api/auth/login', { identifier, password: goodPassword }), status)
    }
  })

  it('takes them for admin users, too', async () => {
    const editor = await newAdmin(service, 'editor')
    const [, upper = ''] = spellings(randomUUID())
    const changed = await service.admin.put(`/api/admin/users/${editor.id}`, { email: upper })
    assert.equal(expectStatus(changed, 200).body.data.email, emailAddressOf(upper))
    const identifier = upper.toLowerCase()
    expectStatus(await service.post('/api/admin/auth/login', { identifier, password: editor.password }), 200)
  })
})

describe('an address', () => {
  it('has one form, which is its own', () => {
    for (const text of [
      'A@Example.com',
      '用户@例子.广告',
      'İ@example.com',
      'ΟΔΟΣ@example.com',
      'क़@example.com',
      'a@ｅxample.com',
    ]) {
      const form = emailAddressOf(text)
      assert.notEqual(form, undefined, text)
      assert.equal(emailAddressOf(form ?? ''), form)
    }
    assert.equal(emailAddressOf('用户@例子.广告'), '用户@xn--fsqu00a.xn--4rr70v')
  })
})
