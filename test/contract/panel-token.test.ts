import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, goodPassword, newAdmin, newUser } from '../api/auth-callers.ts'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const path = '/api/admin/auth/token'

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>

eachDatabase(({ name }) => {
  let service: TestService

  before(async () => {
    service = await startService({ database: name })
  })
  after(() => service.stop())

  /** The cookie of a new session, as a browser sends it. */
  async function signIn(identifier: string) {
    const answer = await service.post('/api/admin/auth/login', { identifier, password: goodPassword })
    const set = expectStatus(answer, 200).headers.getSetCookie()
    const cookie = set.find((line) => line.startsWith('mortise_session='))?.split(';', 1)[0] ?? ''
    return { cookie, client: createClient(service.url, answer.body.data.token) }
  }
  const newSession = async (role = 'editor') => {
    const account = await newAdmin(service, role)
    return { account, ...(await signIn(account.email)) }
  }
  const ask = (cookie: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
    service.get(path, { headers: { cookie, ...headers } })
  const clientFor = async (cookie: string): Promise<Client> =>
    createClient(service.url, expectStatus(await ask(cookie), 200).body.data.token)

  describe('the token for the holder of the cookie', () => {
    it('lasts for 15 minutes and does what a token of the account does', async () => {
      const { account, cookie } = await newSession()
      const answer = expectStatus(await ask(cookie), 200)
      const { token, expiresAt, user, mustChangePassword } = answer.body.data
      const claims = claimsOf(token)
      assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 15 * 60)
      assert.equal(Date.parse(expiresAt), (claims.exp ?? 0) * 1000)
      assert.deepEqual([user.id, mustChangePassword], [account.id, false])
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.match(answer.headers.get('vary') ?? '', /cookie/)
      assert.deepEqual(answer.headers.getSetCookie(), [])
      const me = await createClient(service.url, token).get('/api/admin/auth/me')
      assert.equal(expectStatus(me, 200).body.data.username, account.username)
    })

    it('is for pages of this origin only', async () => {
      const { cookie } = await newSession()
      const { host } = new URL(service.url)
      const refused: Record<string, string>[] = [
        {},
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
        { origin: 'null' },
        { origin: 'https://example.com' },
        { origin: `http://${host}.example.com` },
        { origin: `http://example.com?${host}` },
        { origin: 'http://127.0.0.1:1' },
        { referer: `http://${host}/admin` },
        { 'x-requested-by': 'panel', origin: 'https://example.com' },
        { 'x-requested-by': 'panel', 'sec-fetch-site': 'cross-site' },
        { 'x-requested-by': 'somebody' },
      ]
      for (const headers of refused) {
        const answer = await ask(cookie, headers)
        assert.equal(answer.status, 403, JSON.stringify(headers))
        assert.equal(JSON.stringify(answer.body).includes('eyJ'), false)
      }
      expectStatus(await ask(cookie, { origin: `http://${host}` }), 200)
      expectStatus(await ask(cookie, { 'x-requested-by': 'panel' }), 200)
    })

    it('is for the holder of the cookie only', async () => {
      const { account, cookie, client } = await newSession()
      const user = await newUser(service)
      const headers = { 'sec-fetch-site': 'same-origin' }
      expectStatus(await service.get(path, { headers }), 401)
      expectStatus(await client.get(path, { headers }), 401)
      expectStatus(await user.client.get(path, { headers }), 401)
      expectStatus(await ask(`mortise_session=${user.token}`), 401)
      expectStatus(await ask(`${cookie}x`), 401)
      expectStatus(await client.get(path, { headers: { ...headers, cookie } }), 401)
      expectStatus(await service.admin.put(`/api/admin/users/${account.id}`, { blocked: true }), 200)
      expectStatus(await ask(cookie), 401)
    })

    it('ends with the session of the cookie, and the session with it', async () => {
      const { account, cookie, client } = await newSession()
      const brief = await clientFor(cookie)
      expectStatus(await client.post('/api/admin/auth/logout'), 200)
      expectStatus(await brief.get('/api/admin/auth/me'), 401)

      const other = await signIn(account.email)
      const [one, two] = [await clientFor(other.cookie), await clientFor(other.cookie)]
      expectStatus(await one.post('/api/admin/auth/logout'), 200)
      expectStatus(await two.get('/api/admin/auth/me'), 401)
      expectStatus(await other.client.get('/api/admin/auth/me'), 401)
      expectStatus(await ask(other.cookie), 401)
    })

    it('can be exchanged for a whole session, and changes the password', async () => {
      const { cookie } = await newSession()
      const brief = await clientFor(cookie)
      const refreshed = expectStatus(await brief.post('/api/admin/auth/refresh'), 200)
      const claims = claimsOf(refreshed.body.data.token)
      assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 7 * 86_400)
      assert.equal(claims.until, undefined)
      const changed = await createClient(service.url, refreshed.body.data.token).post(
        '/api/admin/auth/change-password',
        { currentPassword: goodPassword, newPassword: 'another horse battery' },
      )
      expectStatus(changed, 200)
      expectStatus(await brief.get('/api/admin/auth/me'), 401)
    })
  })
})
