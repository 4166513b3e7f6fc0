import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { identityLinked } from '../../core-plugins/accounts/social-login/social-login.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, goodPassword, newNames, newUser } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type Browser, openBrowser } from './browser.ts'
import { type ProviderAccount, shapes, startProvider, type TestProvider } from './provider.ts'

let provider: TestProvider
let service: TestService
let browser: Browser
const linked: unknown[] = []
const frontend = 'https://www.example.com'

const listener = definePlugin({
  name: 'listener',
  description: 'Listens to links',
  register({ on }) {
    on(identityLinked, (event) => void linked.push(event))
  },
})

function newAccount(more: Partial<ProviderAccount> = {}): ProviderAccount {
  const { email } = newNames()
  return { id: String(randomInt(1, 2 ** 47)), email, isVerified: true, name: 'Ada Lovelace', ...more }
}

const auditOf = async (userId: number) => {
  const { body } = await service.admin.get(`/api/admin/audit-logs?resource=content_user:${userId}&limit=100`)
  return body.data.map(({ action }: { action: string }) => action)
}

describe('signing in with a provider', () => {
  before(async () => {
    provider = await startProvider()
    const env = {
      ...provider.env,
      SVC_SECURITY_SOCIAL_LOGIN_REDIRECT_ORIGINS: JSON.stringify([frontend, 'http://localhost:3000']),
    }
    service = await startService({ env, plugins: [listener] })
  })
  after(async () => {
    await service.stop()
    await provider.stop()
  })
  beforeEach(() => {
    browser = openBrowser(service.url)
    provider.account = newAccount()
  })

  for (const shape of shapes) {
    describe(`signing in with ${shape}`, () => {
      it('makes a content user, and finds it again though the address has changed', async () => {
        const { email } = provider.account
        const first = expectStatus(await browser.signIn(shape), 200)
        const { token, user, expiresAt } = first.body.data
        assert.equal(user.email, email)
        assert.equal(user.role, 'authenticated')
        assert.ok(user.username.startsWith('Ada Lovelace'))
        assert.ok(Date.parse(expiresAt) > Date.now())
        assert.equal(first.headers.get('cache-control'), 'no-store')
        assert.deepEqual([...browser.cookies], [])
        const me = await createClient(service.url, token).get('/api/auth/me')
        assert.equal(expectStatus(me, 200).body.data.id, user.id)
        await until(() => linked.length > 0)
        assert.deepEqual(linked.splice(0), [{ userId: user.id, provider: shape, isNewUser: true }])

        provider.account = newAccount({ id: provider.account.id, isVerified: false })
        const again = expectStatus(await openBrowser(service.url).signIn(shape), 200).body.data
        assert.equal(again.user.id, user.id)
        assert.equal(again.user.email, email)
        assert.deepEqual(linked, [])
        assert.deepEqual(await auditOf(user.id), ['auth.login', 'auth.login', 'content_user.create'])
      })

      it('joins the account with the verified address, in any case of letters', async () => {
        const user = await newUser(service)
        provider.account = newAccount({ email: user.email.toUpperCase() })
        const { data } = expectStatus(await browser.signIn(shape), 200).body
        assert.equal(data.user.id, user.id)
        assert.deepEqual(await auditOf(user.id), ['auth.login', 'auth.link', 'auth.login'])
        linked.length = 0
      })

      it('refuses an address that is not verified, or missing, and makes no account', async () => {
        const user = await newUser(service)
        for (const email of [user.email, newNames().email, undefined, 'no address', 'ſ@example.com']) {
          const isVerified = email === undefined || email === 'no address' || email.startsWith('ſ')
          provider.account = newAccount({ email, isVerified: shape === 'github' ? false : isVerified })
          const answer = expectStatus(await openBrowser(service.url).signIn(shape), 403)
          assert.equal(answer.body.error.code, 'FORBIDDEN')
          assert.match(answer.body.error.message, /no verified e-mail address/)
        }
        expectStatus(await user.client.get('/api/auth/me'), 200)
        assert.deepEqual(linked, [])
      })

      it('tells the provider what binds its answer', async () => {
        const page = await browser.start(shape)
        const { searchParams: asked } = page
        assert.equal(asked.get('redirect_uri'), `${service.url}/api/auth/${shape}/callback`)
        assert.equal(asked.get('response_type'), 'code')
        assert.equal(asked.get('code_challenge_method'), 'S256')
        assert.match(asked.get('state') ?? '', /^[\w-]{43}$/)
        assert.equal(asked.has('nonce'), shape === 'google')
        const again = await browser.start(shape)
        for (const name of ['state', 'code_challenge', ...(shape === 'google' ? ['nonce'] : [])]) {
          assert.notEqual(again.searchParams.get(name), asked.get(name))
        }
      })
    })
  }

  describe('an account that was joined', () => {
    it('loses the password and sessions of whoever registered with the address', async () => {
      const user = await newUser(service)
      provider.account = newAccount({ email: user.email })
      const { token } = expectStatus(await browser.signIn('google'), 200).body.data
      expectStatus(await user.client.get('/api/auth/me'), 401)
      const login = (password: string) =>
        service.post('/api/auth/login', { identifier: user.email, password })
      expectStatus(await login(user.password), 401)
      expectStatus(await login(''), 400)
      const owner = createClient(service.url, token)
      const change = { currentPassword: user.password, newPassword: 'another good one' }
      expectStatus(await owner.post('/api/auth/change-password', change), 400)

      const forgot = await service.post('/api/auth/forgot-password', { email: user.email })
      const reset = { token: forgot.body.data.resetToken, password: 'my own new password' }
      expectStatus(
        await service.post('/api/auth/reset-password', { ...reset, passwordConfirmation: reset.password }),
        200,
      )
      expectStatus(await login(reset.password), 200)

      provider.account = newAccount({ email: user.email })
      expectStatus(await openBrowser(service.url).signIn('github'), 200)
      expectStatus(await login(reset.password), 200)
    })

    it('keeps both where the operator says so', async () => {
      const user = await newUser(service)
      provider.account = newAccount({ email: user.email })
      const key = 'security.socialLogin.keepPassword'
      expectStatus(await service.admin.put('/api/admin/config', { [key]: true }), 200)
      try {
        expectStatus(await browser.signIn('google'), 200)
        expectStatus(await user.client.get('/api/auth/me'), 200)
        const identifier = user.email
        expectStatus(await service.post('/api/auth/login', { identifier, password: user.password }), 200)
      } finally {
        expectStatus(await service.admin.put('/api/admin/config', { [key]: false }), 200)
      }
    })
  })

  describe('an account without a password', () => {
    // That it takes as long, too, is the hasher's doing, and tested there.
    it('cannot be opened by any password, and is refused like one that is not there', async () => {
      const { user } = expectStatus(await browser.signIn('google'), 200).body.data
      const refusalOf = async (identifier: string) =>
        expectStatus(await service.post('/api/auth/login', { identifier, password: goodPassword }), 401).body
          .error.message
      assert.equal(await refusalOf(user.email), await refusalOf(newNames().email))
    })
  })

  describe('an account that may not sign in', () => {
    const blocked = { blocked: true }

    it('is refused while it is blocked, linked or not', async () => {
      const { user } = expectStatus(await browser.signIn('google'), 200).body.data
      expectStatus(await service.admin.put(`/api/admin/content-users/${user.id}`, blocked), 200)
      expectStatus(await browser.signIn('google'), 401)
      const other = await newUser(service)
      expectStatus(await service.admin.put(`/api/admin/content-users/${other.id}`, blocked), 200)
      provider.account = newAccount({ email: other.email })
      assert.match(expectStatus(await browser.signIn('google'), 401).body.error.message, /blocked/)
      expectStatus(await service.admin.put(`/api/admin/content-users/${other.id}`, { blocked: false }), 200)
      const identifier = other.email
      expectStatus(await service.post('/api/auth/login', { identifier, password: other.password }), 200)
    })

    it('is refused while failed logins have locked it', async () => {
      const { user } = expectStatus(await browser.signIn('google'), 200).body.data
      for (let failure = 0; failure < 5; failure++) {
        await service.post('/api/auth/login', { identifier: user.email, password: 'wrong' })
      }
      const answer = expectStatus(await browser.signIn('google'), 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
    })

    it('is made anew after it was deleted', async () => {
      const { user } = expectStatus(await browser.signIn('google'), 200).body.data
      expectStatus(await service.admin.delete(`/api/admin/content-users/${user.id}`), 200)
      const { data } = expectStatus(await browser.signIn('google'), 200).body
      assert.notEqual(data.user.id, user.id)
    })

    it('is not made while registration is closed, and signs in if it is there', async () => {
      const present = expectStatus(await browser.signIn('google'), 200).body.data.user
      const presentAccount = provider.account
      const key = 'security.registration.enabled'
      expectStatus(await service.admin.put('/api/admin/config', { [key]: false }), 200)
      try {
        provider.account = newAccount()
        assert.match(expectStatus(await browser.signIn('google'), 403).body.error.message, /closed/)
        provider.account = presentAccount
        assert.equal(expectStatus(await browser.signIn('google'), 200).body.data.user.id, present.id)
      } finally {
        expectStatus(await service.admin.put('/api/admin/config', { [key]: true }), 200)
      }
    })
  })

  describe('attributes of users', () => {
    const start = (phone: object) => {
      const attributes = { phone, language: { type: 'string', required: true, default: 'en' } }
      return startService({ env: provider.env, schemas: { 'user.extension.json': { attributes } } })
    }

    it('get their defaults', async () => {
      const own = await start({ type: 'string' })
      try {
        const { user } = expectStatus(await openBrowser(own.url).signIn('google'), 200).body.data
        assert.deepEqual([user.phone, user.language], [null, 'en'])
      } finally {
        await own.stop()
      }
    })

    it('that are required send newcomers to the registration, and let the others in', async () => {
      const own = await start({ type: 'string', required: true })
      try {
        const refused = expectStatus(await openBrowser(own.url).signIn('google'), 403)
        assert.match(refused.body.error.message, /register first: an account here also needs phone/)
        const account = { ...newNames(), password: goodPassword, phone: '1' }
        const { id } = expectStatus(await own.post('/api/auth/register', account), 201).body.data
        provider.account = newAccount({ email: account.email })
        const { user } = expectStatus(await openBrowser(own.url).signIn('google'), 200).body.data
        assert.deepEqual([user.id, user.phone], [id, '1'])
      } finally {
        await own.stop()
      }
    })
  })

  describe('a frontend that is known', () => {
    const page = `${frontend}/welcome?from=google`
    const query = `?redirect=${encodeURIComponent(page)}`

    it('gets the token in the fragment of its page', async () => {
      const answer = expectStatus(await browser.signIn('google', query), 302)
      const location = new URL(answer.headers.get('location') ?? '')
      assert.equal(location.origin + location.pathname + location.search, page)
      const values = new URLSearchParams(location.hash.slice(1))
      const me = await createClient(service.url, values.get('token') ?? '').get('/api/auth/me')
      assert.equal(expectStatus(me, 200).body.data.email, provider.account.email)
      assert.ok(Date.parse(values.get('expiresAt') ?? '') > Date.now())
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    })

    it('is told why somebody could not sign in', async () => {
      provider.account = newAccount({ isVerified: false })
      const answer = expectStatus(await browser.signIn('google', query), 302)
      const values = new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1))
      assert.equal(values.get('error'), 'FORBIDDEN')
      assert.equal(values.has('token'), false)
    })
  })

  describe('usernames', () => {
    it('are made of what people are called, and differ', async () => {
      const name = `  @Zoë\u202e   van\tDam 👩‍🚀 ${'x'.repeat(300)}`
      provider.account = newAccount({ name })
      const first = expectStatus(await browser.signIn('google'), 200).body.data.user.username
      assert.match(first, /^Zoë van Dam 👩🚀 x+$/)
      assert.ok(first.length < 80)
      provider.account = newAccount({ name })
      const second = expectStatus(await browser.signIn('google'), 200).body.data.user.username
      assert.ok(second.startsWith(`${first}-`))
      provider.account = newAccount({ name: '@@' })
      assert.match(expectStatus(await browser.signIn('google'), 200).body.data.user.username, /^user/)
    })
  })
})
