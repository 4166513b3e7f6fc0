import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { letAllRead } from '../cdn/cdn-world.ts'
import { slow } from '../support/scope.ts'
import { image, type MediaService, startMediaService } from './media-support.ts'
import { addressesOf, type RouteAddress } from './route-addresses.ts'

const page = 'https://site.example.com'

/** What an answer says to those who may keep it. */
interface Told {
  readonly what: string
  readonly status: number
  readonly control: string
  readonly vary: readonly string[]
  readonly allowed: string | null
  readonly etag: string | null
}

describe('what caches on the way are told', () => {
  let service: MediaService
  let token: string
  let file: string

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Told> => {
    const response = await fetch(service.url + path, { method, headers, redirect: 'manual' })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    await (isStream ? response.body?.cancel() : response.arrayBuffer())
    return {
      what: `${method} ${path}`,
      status: response.status,
      control: response.headers.get('cache-control') ?? '',
      vary: (response.headers.get('vary') ?? '').split(',').map((name) => name.trim()),
      allowed: response.headers.get('access-control-allow-origin'),
      etag: response.headers.get('etag'),
    }
  }

  /** Every route, whoever asks; what no route has; files, parts of them, and what has not changed. */
  async function everything(headers: Record<string, string>): Promise<Told[]> {
    const authorization = `Bearer ${token}`
    const found: Told[] = []
    const askBoth = async ({ address }: RouteAddress) => {
      const open = await ask(address, headers)
      found.push(open, await ask(address, { ...headers, authorization }))
      if (open.etag !== null) found.push(await ask(address, { ...headers, 'if-none-match': open.etag }))
    }
    const all = addressesOf(service, { type: 'article', id: '1' })
    for (let from = 0; from < all.length; from += 8) await Promise.all(all.slice(from, from + 8).map(askBoth))
    for (const path of ['/nowhere', '/api/nowhere', '/api/content/nothing', '/api/content/article/999']) {
      found.push(
        ...(await Promise.all(['GET', 'PUT', 'OPTIONS'].map((method) => ask(path, headers, method)))),
      )
    }
    for (const query of ['?search=clock', '?limit=nothing', '?nothing=1', '?fields=title', '?populate=*']) {
      found.push(await ask(`/api/content/article${query}`, headers))
    }
    found.push(
      await ask('/api/search?q=clock', headers),
      await ask('/api/graphql?query={__typename}', headers),
      await ask(file, headers),
      await ask(file, { ...headers, range: 'bytes=0-3' }),
      await ask(file, { ...headers, range: 'bytes=999999999-' }),
      await ask(file, { ...headers, 'if-none-match': (await ask(file)).etag ?? '' }),
      await ask('/api/livez', headers, 'DELETE'),
      await ask('/api/livez', headers, 'OPTIONS'),
    )
    return found
  }

  const started = async (origins: readonly string[]) => {
    service = await startMediaService({ env: { SVC_CORS_ORIGINS: JSON.stringify(origins) } })
    const { body } = await service.post('/api/admin/auth/login', {
      identifier: 'admin@example.com',
      password: 'a long password for tests',
    })
    token = body.data.token
    await letAllRead(service.admin, ['article', 'category', 'author'])
    file = new URL((await service.add(await image(40, 30, 'jpeg'), 'a.jpg')).url, service.url).pathname
  }
  after(() => service?.stop())

  describe('where some origins are listed', slow, () => {
    before(() => started([page]))
    after(() => service?.stop())

    it('every answer says that it depends on the origin, and what may be done with it', async () => {
      for (const headers of [{}, { origin: page }]) {
        const told = await everything(headers)
        assert.ok(told.length > 200)
        assert.deepEqual(
          told.filter(({ vary }) => !vary.includes('origin')).map(({ what }) => what),
          [],
        )
        assert.deepEqual(
          told.filter(({ control }) => control === '' || control.includes('no-store,')),
          [],
        )
        const allowed = new Set(told.map((each) => each.allowed))
        assert.deepEqual([...allowed], ['origin' in headers && headers.origin === page ? page : null])
        const statuses = new Set(told.map(({ status }) => status))
        for (const status of [200, 204, 206, 304, 400, 401, 404, 405, 416])
          assert.ok(statuses.has(status), String(status))
      }
    })

    it('nothing but files and pages is left to shared caches, and no failure to anybody', async () => {
      for (const { what, status, control } of await everything({})) {
        if (status >= 400) assert.equal(control, 'no-store', what)
        const isShared = !/no-store|private/.test(control)
        const isFile = /\/(assets|uploads|graphql)\b|changes/.test(what)
        if (isShared) assert.ok(isFile, `${what}: ${control}`)
      }
      for (const path of ['/api/livez', '/api/readyz'])
        assert.equal((await ask(path)).control, 'no-store', path)
      const authorization = `Bearer ${token}`
      const lists = ['/api/content/article', '/api/content/article?search=a', '/api/search?q=a', '/api/media']
      for (const path of lists) {
        for (const headers of path === '/api/media' ? [{ authorization }] : [{ authorization }, {}]) {
          const { status, control, etag } = await ask(path, headers)
          assert.deepEqual([status, control], [200, 'private, no-cache'], path)
          const again = await ask(path, { ...headers, 'if-none-match': etag ?? '' })
          assert.deepEqual([again.status, again.control], [304, control], path)
        }
      }
    })
  })

  describe('where every origin may call', slow, () => {
    before(() => started(['*']))

    it('every answer says so, also where no page has asked', async () => {
      const told = await everything({})
      assert.deepEqual(
        told.filter(({ allowed }) => allowed !== '*').map(({ what }) => what),
        [],
      )
      assert.ok(told.every(({ vary }) => !vary.includes('origin')))
    })
  })
})
