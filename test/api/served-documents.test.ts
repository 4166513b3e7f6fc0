import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request as rawRequest } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inertPolicy } from '../../core-plugins/foundation/http/http.ts'
import { buildApp } from '../../core-plugins/panel/admin-panel/build/build-app.ts'
import { slow } from '../support/scope.ts'
import { type MediaService, startMediaService } from './media-support.ts'
import { addressesOf } from './route-addresses.ts'

const root = join(import.meta.dirname, '../..')

/** What a browser opens as a document of this origin, in which scripts may run. */
const isDocument = (mediaType: string) => /html|xml|svg|pdf|multipart|message\//.test(mediaType)

/** What is wrong with the policy of a document; undefined if nothing is. */
function weakness(policy: string): string | undefined {
  const directives = new Map(
    policy.split(';').map((text) => {
      const [name = '', ...values] = text.trim().split(/\s+/)
      return [name, values]
    }),
  )
  if (directives.get('default-src')?.join() !== "'none'") return "default-src is not 'none'"
  const scripts = directives.get('script-src') ?? []
  if (scripts.some((source) => source !== "'self'" && !source.startsWith("'nonce-")))
    return 'scripts of others'
  const isAlone = directives.has('sandbox') || directives.get('frame-ancestors')?.join() === "'none'"
  return isAlone ? undefined : 'it may be framed'
}

interface Answered {
  readonly status: number
  readonly mediaType: string
  readonly policy: string
  readonly text: string
}

describe('everything that the service serves', () => {
  let service: MediaService
  let token: string
  const seen = new Set<string>()

  before(async () => {
    service = await startMediaService({
      env: {
        SVC_PLUGINS_DIR: join(root, 'plugins'),
        SVC_THEMES_DIR: join(root, 'themes'),
        SVC_SITE_THEME: 'harbour',
      },
    })
    const { body } = await service.post('/api/admin/auth/login', {
      identifier: 'admin@example.com',
      password: 'a long password for tests',
    })
    token = body.data.token
  })
  after(() => service?.stop())

  async function fetched(address: string, headers: Record<string, string> = {}): Promise<Answered> {
    const response = await fetch(service.url + address, {
      headers: { accept: 'text/html,*/*', ...headers },
      redirect: 'manual',
    })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    return {
      status: response.status,
      mediaType: response.headers.get('content-type') ?? '',
      policy: response.headers.get('content-security-policy') ?? '',
      text: isStream ? '' : await response.text(),
    }
  }

  /** Fails for a document that is not under a strict policy. */
  function assertHarmless(address: string, { mediaType, policy, text }: Answered) {
    seen.add(mediaType.split(';')[0] ?? '')
    if (!isDocument(mediaType))
      return assert.doesNotMatch(text.slice(0, 200), /^\s*<(!doctype html|html)/i, address)
    assert.equal(weakness(policy), undefined, `${address} as ${mediaType} under "${policy}"`)
  }

  /** With what a page names, and what that names in turn. */
  async function follow(address: string, followed = new Set<string>()) {
    if (followed.has(address)) return followed
    followed.add(address)
    const answer = await fetched(address, { authorization: `Bearer ${token}` })
    assertHarmless(address, answer)
    assert.equal(answer.status, 200, address)
    if (!/html|css/.test(answer.mediaType)) return followed
    for (const [, inPage, inStyles] of answer.text.matchAll(/(?:src|href)="([^"#?]+)|url\(["']?([^"')]+)/g)) {
      const named = inPage ?? inStyles ?? ''
      const found = new URL(named, service.url + address)
      if (found.origin === service.url && named !== '') await follow(found.pathname, followed)
    }
    return followed
  }

  it('answers no route with a document but under a strict policy, whoever asks', slow, async () => {
    for (const values of [{}, { type: 'article', id: '1', filename: 'x.svg' }]) {
      for (const { address } of addressesOf(service, values)) {
        for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
          assertHarmless(address, await fetched(address, headers))
        }
      }
    }
    for (const address of ['/', '/index.html', '/favicon.ico', '/api', '/api/', '/admin/', '/x.svg']) {
      assertHarmless(address, await fetched(address))
    }
    assert.ok(seen.has('text/html') && seen.has('text/css'), [...seen].join())
  })

  it(
    'has pages that name nothing but harmless files, each of which may do nothing by itself',
    slow,
    async () => {
      const pages = [
        '/admin',
        '/admin/sign-in',
        '/api/graphql',
        '/api/graphql/sign-in',
        '/api/_docs',
        '/api/_docs/sign-in',
      ]
      const named = new Set<string>()
      for (const page of pages) for (const each of await follow(page)) if (each !== page) named.add(each)
      const modules = (await service.admin.get('/api/admin/panel')).body.data.modules as { url: string }[]
      assert.ok(modules.length > 0)
      const built = [...(await buildApp()).files.keys()].map((name) => `/admin/assets/${name}`)
      for (const address of [...named, ...built, ...modules.map(({ url }) => url)]) {
        const answer = await fetched(address)
        assertHarmless(address, answer)
        assert.equal(answer.status, 200, address)
        if (!address.endsWith('/theme.css')) assert.equal(answer.policy, inertPolicy, address)
      }
      assert.ok(named.size > 12, [...named].join())
      assert.ok(seen.has('image/svg+xml'))
    },
  )

  it('serves nothing else of the packages that the files are from, whatever the path', async () => {
    const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    assert.ok(files.includes('oauth2-redirect.html'))
    const allowed = ['swagger-ui.css', 'swagger-ui-bundle.js']
    for (const base of ['/api/_docs/assets/', '/api/graphql/assets/']) {
      for (const file of files) {
        const { status } = await fetched(base + file)
        const isAllowed = base.includes('_docs') && allowed.includes(file)
        assert.equal(status, isAllowed ? 200 : 404, base + file)
      }
    }
    const bases = [
      '/api/_docs/assets',
      '/api/graphql/assets',
      '/admin/assets',
      '/uploads',
      '/api/media/files',
    ]
    const tricks = [
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/..%5cpackage.json',
      '//etc/passwd',
    ]
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'swagger-ui.css%00.html',
      'swagger-ui.css/',
      './swagger-ui.css',
    ]
    for (const base of bases) {
      for (const trick of [...tricks, ...names.map((name) => `/${name}`)]) {
        const status = await statusOfRaw(base + trick)
        assert.ok(status === 404 || status === 400, `${base}${trick}: ${status}`)
      }
    }
  })

  /** As it is: `fetch` would tidy up the path. */
  const statusOfRaw = (path: string) =>
    new Promise<number>((resolve, reject) => {
      rawRequest(service.url, { path }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  it('hands uploads out so that none of them runs, whatever it is called', slow, async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const page = '<!doctype html><script>alert(1)</script>'
    const uploads: [string, string][] = [
      ...['a.svg', 'a.xml', 'a.html', 'a.svg.png'].map((name): [string, string] => [svg, name]),
      ...[
        'a.html',
        'a.xhtml',
        'a.htm',
        'a.txt',
        'a.md',
        'a.csv',
        'a.json',
        'a.js',
        'a.shtml',
        'a.xsl',
        'a',
      ].map((name): [string, string] => [page, name]),
      ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>1</script></html>', 'a.xml'],
    ]
    let served = 0
    for (const [content, name] of uploads) {
      const { status, body } = await service.upload(content, name)
      if (status !== 201) continue
      const address = new URL(body.data.url, service.url).pathname
      const answer = await fetched(address)
      assert.equal(answer.status, 200)
      served++
      if (isDocument(answer.mediaType)) assertHarmless(address, answer)
      else assert.doesNotMatch(answer.mediaType, /html|xml/)
    }
    assert.ok(served > 0)
  })
})
