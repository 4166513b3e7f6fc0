import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { expectStatus, newNames, problemsOf } from '../api/auth-callers.ts'
import { type Answer, createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { type Browser, openBrowser } from './browser.ts'
import { clientSecret, type Fault, shapes, startProvider, type TestProvider } from './provider.ts'

let provider: TestProvider
let service: TestService
/** Gives providers little time. */
let hasty: TestService
let browser: Browser
const timeoutMs = 400

const expectBadState = (answer: Answer) =>
  assert.deepEqual(problemsOf(expectStatus(answer, 400)), { state: 'invalid' })

const expectNobodyIsIn = async ({ admin } = service) => {
  const { body } = await admin.get(`/api/admin/content-users?search=${provider.account.email}`)
  assert.deepEqual(body.data, [])
}

describe('attacks on social logins', () => {
  before(async () => {
    provider = await startProvider()
    const env = {
      ...provider.env,
      SVC_SECURITY_SOCIAL_LOGIN_REDIRECT_ORIGINS: '["https://www.example.com"]',
    }
    service = await startService({ env })
    hasty = await startService({ env: { ...env, SVC_SOCIAL_LOGIN_TIMEOUT_MS: `${timeoutMs}` } })
  })
  after(async () => {
    await service.stop()
    await hasty.stop()
    await provider.stop()
  })
  beforeEach(() => {
    browser = openBrowser(service.url)
    provider.account = { id: String(randomInt(1, 2 ** 47)), email: newNames().email, isVerified: true }
  })
  afterEach(() => {
    provider.faults.clear()
    provider.claims = {}
    provider.isForging = false
  })

  describe('the state', () => {
    it('must be there, once, and be that of the browser', async () => {
      const callback = await browser.visit(await browser.start('google'))
      const variants = [
        (url: URL) => url.searchParams.delete('state'),
        (url: URL) => url.searchParams.set('state', ''),
        (url: URL) => url.searchParams.set('state', 'made up'),
        (url: URL) => url.searchParams.append('state', url.searchParams.get('state') ?? ''),
      ]
      for (const change of variants) {
        const changed = new URL(callback)
        change(changed)
        expectBadState(await browser.open(changed))
      }
      assert.ok(!provider.asked.includes('/google/token'), 'the code was not spent')
      await expectNobodyIsIn()
      expectStatus(await browser.open(callback), 200)
    })

    it('belongs to a cookie that only the service can make', async () => {
      const callback = await browser.visit(await browser.start('google'))
      const [name, value] = [...browser.cookies][0] ?? ['', '']
      const sealed = Buffer.from(value, 'base64url')
      sealed[40] = (sealed[40] ?? 0) ^ 1
      for (const forged of ['', 'x', '%', sealed.toString('base64url'), value.slice(0, 30)]) {
        browser.cookies.set(name, forged)
        expectBadState(await browser.open(callback))
      }
      browser.cookies.set(name, value)
      expectStatus(await browser.open(callback), 200)
    })

    it('counts once, also when the same answer comes many times at once', async () => {
      const callback = await browser.visit(await browser.start('google'))
      const cookies = [...browser.cookies]
      const replay = () => {
        const twin = openBrowser(service.url)
        for (const [name, value] of cookies) twin.cookies.set(name, value)
        return twin.open(callback)
      }
      const answers = await Promise.all(Array.from({ length: 6 }, replay))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400])
      expectBadState(await replay())
    })

    it('cannot be carried over to another provider', async () => {
      const callback = await browser.visit(await browser.start('google'))
      const value = browser.cookies.get('mortise_social_google') ?? ''
      browser.cookies.set('mortise_social_github', value)
      callback.pathname = '/api/auth/github/callback'
      expectBadState(await browser.open(callback))
    })
  })

  describe('a code', () => {
    it('of an attacker cannot be slipped into the browser of somebody else', async () => {
      const attacker = openBrowser(service.url)
      const injected = await attacker.visit(await attacker.start('google'))
      expectBadState(await browser.open(injected))
      const own = await browser.visit(await browser.start('google'))
      expectBadState(await browser.open(injected))
      own.searchParams.set('code', injected.searchParams.get('code') ?? '')
      assert.deepEqual(problemsOf(expectStatus(await browser.open(own), 400)), { code: 'invalid' })
      await expectNobodyIsIn()
    })

    for (const shape of shapes) {
      it(`that ${shape} does not know is refused`, async () => {
        const callback = await browser.visit(await browser.start(shape))
        callback.searchParams.set('code', 'made up')
        assert.deepEqual(problemsOf(expectStatus(await browser.open(callback), 400)), { code: 'invalid' })
        assert.deepEqual([...browser.cookies], [], 'the attempt is over')
      })
    }
  })

  describe('the cookie', () => {
    it('is out of reach for scripts, and other sites only lead to it', async () => {
      const { headers } = await service.get('/api/auth/google')
      const [cookie = ''] = headers.getSetCookie()
      assert.match(cookie, /^mortise_social_google=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
      assert.ok(!Buffer.from(cookie, 'base64url').includes('state'), 'its content is encrypted')
      assert.equal(headers.get('cache-control'), 'no-store')
    })
  })

  describe('where the browser is sent', () => {
    const hostile = [
      'https://evil.example/',
      'https://www.example.com.evil.example/',
      'https://www.example.com@evil.example/',
      'https://user:password@www.example.com/',
      'http://www.example.com/',
      'https://www.example.com:444/',
      '//evil.example/',
      '/somewhere',
      'javascript:alert(1)',
      'https://www.example.com/#token=mine',
      'https:evil.example',
      '',
    ]

    it('is only a frontend that is known', async () => {
      for (const page of hostile) {
        const answer = await service.get(`/api/auth/google?redirect=${encodeURIComponent(page)}`)
        assert.deepEqual(problemsOf(expectStatus(answer, 400)), { redirect: 'not_allowed' }, page)
      }
      expectStatus(await service.get('/api/auth/google?redirect=a&redirect=b'), 400)
      expectStatus(await service.get('/api/auth/google?return=https://evil.example'), 400)
    })

    it('is the page that browsers see in the address', async () => {
      const page = 'https://www.example.com\\@evil.example/'
      const answer = await browser.signIn('google', `?redirect=${encodeURIComponent(page)}`)
      const location = new URL(answer.headers.get('location') ?? '')
      assert.equal(location.origin, 'https://www.example.com')
    })

    it('is no longer a frontend that was taken off the list', slow, async () => {
      const own = await startService({ env: provider.env })
      try {
        const key = 'security.socialLogin.redirectOrigins'
        const allow = (origins: string[]) => own.admin.put('/api/admin/config', { [key]: origins })
        expectStatus(await allow(['https://old.example']), 200)
        const other = openBrowser(own.url)
        const callback = await other.visit(await other.start('google', '?redirect=https://old.example'))
        expectStatus(await allow([]), 200)
        const answer = expectStatus(await other.open(callback), 302)
        const { hash } = new URL(answer.headers.get('location') ?? '')
        assert.equal(new URLSearchParams(hash.slice(1)).has('token'), false)
      } finally {
        await own.stop()
      }
    })

    it('does not come from the Host header', async () => {
      const location = await new Promise<string>((resolve, reject) => {
        const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
        httpRequest(`${service.url}/api/auth/google`, { headers }, (response) => {
          response.resume()
          resolve(response.headers.location ?? '')
        })
          .on('error', reject)
          .end()
      })
      assert.ok(!location.includes('evil'))
      const callback = new URL(location).searchParams.get('redirect_uri')
      assert.equal(callback, `${service.url}/api/auth/google/callback`)
    })

    it('comes from the address of the site, or another one that is set', async () => {
      const env = { ...provider.env, SVC_SITE_URL: 'https://www.example.com/shop/' }
      const own = await startService({ env })
      try {
        const sentTo = async () => {
          const { headers } = await own.get('/api/auth/google')
          const [cookie = ''] = headers.getSetCookie()
          assert.match(cookie, /^__Host-mortise_social_google=.*; Path=\/; .*; Secure$/)
          return new URL(headers.get('location') ?? '').searchParams.get('redirect_uri')
        }
        assert.equal(await sentTo(), 'https://www.example.com/api/auth/google/callback')
        const key = 'security.socialLogin.callbackOrigin'
        expectStatus(await own.admin.put('/api/admin/config', { [key]: 'https://api.example.com' }), 200)
        assert.equal(await sentTo(), 'https://api.example.com/api/auth/google/callback')
        for (const wrong of ['api.example.com', 'https://api.example.com/', 'ftp://api.example.com']) {
          expectStatus(await own.admin.put('/api/admin/config', { [key]: wrong }), 400)
        }
      } finally {
        await own.stop()
      }
    })
  })

  describe('an answer of the provider', () => {
    it('that somebody did not want to sign in is told', async () => {
      const callback = await browser.visit(await browser.start('google'))
      callback.searchParams.delete('code')
      callback.searchParams.set('error', 'access_denied')
      callback.searchParams.set('error_description', '<script>alert(1)</script>')
      const { body } = expectStatus(await browser.open(callback), 403)
      assert.equal(body.error.message, 'not allowed: signing in was refused at Google')
    })

    it('that tells an error of its own is a bad gateway', async () => {
      const callback = await browser.visit(await browser.start('google'))
      callback.searchParams.set('error', 'server_error')
      const { body } = expectStatus(await browser.open(callback), 502)
      assert.equal(body.error.code, 'BAD_GATEWAY')
    })

    const send = (status: number, body: string, type = 'application/json'): Fault => {
      return (_request, response) => {
        response.writeHead(status, { 'content-type': type }).end(body)
        return true
      }
    }
    const drip: Fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
      return true
    }
    let sentBytes = 0
    const flood: Fault = (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const chunk = `"${'x'.repeat(64 * 1024)}",`
      const more = () => {
        while (sentBytes < 64 * 1024 * 1024) {
          sentBytes += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
      return true
    }
    const faults: Record<string, Fault> = {
      'no JSON': send(200, '<html>', 'text/html'),
      'broken JSON': send(200, '{"access_token"'),
      null: send(200, 'null'),
      'a list': send(200, '[7]'),
      nothing: send(200, ''),
      'values of other types': send(200, '{"access_token":{},"id":{},"sub":[],"user":7}'),
      'an empty id': send(200, '{"access_token":"","id":"","sub":"","user":{"user_id":""}}'),
      'a failure': send(500, '{"secret":"of the provider"}'),
      'a redirect': (_request, response) => {
        response.writeHead(302, { location: `${service.url}/api/livez` }).end()
        return true
      },
      'no answer': () => true,
      'an answer drop by drop': drip,
      'an answer without end': flood,
      'a broken connection': (request) => {
        request.socket.destroy()
        return true
      },
    }

    for (const [what, fault] of Object.entries(faults)) {
      it(`that is ${what} tells nothing of the inside, and makes no account`, slow, async () => {
        for (const [shape, path] of [
          ['google', '/token'],
          ['github', '/token'],
          ['github', '/user'],
          ['github', '/user/emails'],
          ['facebook', '/user'],
          ['vk', '/user'],
        ] as const) {
          sentBytes = 0
          provider.faults.set(path, fault)
          const startedAt = performance.now()
          const answer = expectStatus(await openBrowser(hasty.url).signIn(shape), 502)
          provider.faults.clear()
          assert.equal(answer.body.error.code, 'BAD_GATEWAY')
          assert.match(answer.body.error.message, /^\w+ did not answer as expected; try again later$/)
          assert.ok(performance.now() - startedAt < 10 * timeoutMs, 'the time limit holds')
          assert.ok(sentBytes < 16 * 1024 * 1024, 'large answers are not read')
        }
        await expectNobodyIsIn(hasty)
      })
    }

    it('leaves neither tokens nor secrets in the log', () => {
      const text = JSON.stringify([...service.logLines, ...hasty.logLines])
      assert.ok(text.includes('BAD_GATEWAY'))
      for (const secret of [clientSecret, 'access_token', 'of the provider', 'code_verifier']) {
        assert.ok(!text.includes(secret), secret)
      }
    })
  })

  describe('an ID token', () => {
    const now = () => Math.floor(Date.now() / 1000)
    const claims: Record<string, () => Record<string, unknown>> = {
      'of another nonce': () => ({ nonce: 'another' }),
      'without a nonce': () => ({ nonce: undefined }),
      'for somebody else': () => ({ aud: 'another-client' }),
      'for several, and used by another': () => ({ aud: ['google-client', 'other'], azp: 'other' }),
      'of another issuer': () => ({ iss: 'https://accounts.google.com' }),
      'that has expired': () => ({ iat: now() - 7200, exp: now() - 3600 }),
      'without an end': () => ({ exp: undefined }),
      'without a subject': () => ({ sub: undefined }),
    }
    for (const [what, change] of Object.entries(claims)) {
      it(`${what} is refused`, async () => {
        provider.claims = change()
        assert.equal(expectStatus(await browser.signIn('google'), 502).body.error.code, 'BAD_GATEWAY')
        await expectNobodyIsIn()
      })
    }

    it('with a forged signature is refused', async () => {
      provider.isForging = true
      expectStatus(await browser.signIn('google'), 502)
      await expectNobodyIsIn()
    })

    it('is refused while the keys cannot be had', async () => {
      const own = await startService({ env: { ...provider.env, SVC_SOCIAL_LOGIN_TIMEOUT_MS: '400' } })
      try {
        provider.faults.set('/jwks', (_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}')
          return true
        })
        expectStatus(await openBrowser(own.url).signIn('google'), 502)
        provider.faults.set('/jwks', () => true)
        expectStatus(await openBrowser(own.url).signIn('google'), 502)
      } finally {
        await own.stop()
      }
    })

    it('must be there, and be signed', async () => {
      const unsigned = [{ alg: 'none' }, { sub: '1', iss: 'x' }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      for (const token of [{}, { id_token: `${unsigned}.` }, { id_token: 'x' }]) {
        provider.faults.set('/token', (_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(JSON.stringify({ access_token: 'x', token_type: 'bearer', ...token }))
          return true
        })
        expectStatus(await openBrowser(service.url).signIn('google'), 502)
      }
    })
  })

  describe('a token of a social login', () => {
    it('is worth nothing for administrators, and ends with its account', async () => {
      const { token, user } = expectStatus(await browser.signIn('google'), 200).body.data
      const client = createClient(service.url, token)
      expectStatus(await client.get('/api/admin/auth/me'), 401)
      expectStatus(await service.admin.put(`/api/admin/content-users/${user.id}`, { blocked: true }), 200)
      expectStatus(await client.get('/api/auth/me'), 401)
    })

    it('is not given for the address of an administrator', async () => {
      const { email } = (await service.admin.get('/api/admin/auth/me')).body.data
      provider.account = { ...provider.account, email }
      const { token } = expectStatus(await browser.signIn('google'), 200).body.data
      expectStatus(await createClient(service.url, token).get('/api/admin/users'), 401)
    })
  })

  describe('providers', () => {
    it('without keys have no routes', async () => {
      const own = await startService({
        env: { GITHUB_CLIENT_ID: 'x', GITHUB_CLIENT_SECRET: 'y', VK_APP_ID: 'id without a secret' },
      })
      try {
        for (const shape of ['google', 'facebook', 'vk', 'twitter']) {
          expectStatus(await own.get(`/api/auth/${shape}`), 404)
          expectStatus(await own.get(`/api/auth/${shape}/callback`), 404)
        }
        expectStatus(await own.post('/api/auth/github'), 405)
        const { headers } = expectStatus(await own.get('/api/auth/github'), 302)
        assert.match(headers.get('location') ?? '', /^https:\/\/github\.com\/login\/oauth\/authorize\?/)
      } finally {
        await own.stop()
      }
    })

    it('with another token endpoint whose keys are not known are asked for the user', async () => {
      const { OAUTH_GOOGLE_JWKS_URL: _jwks, OAUTH_GOOGLE_ISSUER: _issuer, ...env } = provider.env
      const own = await startService({ env })
      try {
        provider.isForging = true
        const { data } = expectStatus(await openBrowser(own.url).signIn('google'), 200).body
        assert.equal(data.user.email, provider.account.email)
        provider.account = { ...provider.account, id: '77', isVerified: false }
        expectStatus(await openBrowser(own.url).signIn('google'), 403)
      } finally {
        await own.stop()
      }
    })

    it('that are asked by many at once let the others wait elsewhere', async () => {
      const held: ServerResponse[] = []
      provider.faults.set('/token', (_request, response) => held.push(response) > 0)
      const browsers = Array.from({ length: 70 }, () => openBrowser(service.url))
      const callbacks: { browser: Browser; url: URL }[] = []
      for (const each of browsers)
        callbacks.push({ browser: each, url: await each.visit(await each.start('google')) })
      const answers = await Promise.all(callbacks.map(({ browser: each, url }) => each.open(url)))
      const refused = answers.filter(({ status }) => status === 503)
      assert.ok(refused.length >= 6, `${refused.length} were refused`)
      assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
      provider.faults.clear()
      expectStatus(await browser.signIn('google'), 200)
    })
  })
})
