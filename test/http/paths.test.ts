import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { openConnection, statusesIn } from './raw-connection.ts'
import { startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test' } as const

const notFound = [
  '/',
  '/api',
  '/api/',
  '/nothing',
  '//api/things/a',
  '/api//things/a',
  '/api/things//a',
  '/api/things/a/',
  '/api/things/./a',
  '/api/things/../things/a',
  '/api/things/%2e%2e/things/a',
  '/api/things/%2e',
  '/api/things/..',
  '/api/other/..%2fthings/a',
  '/api/things/a%2fb',
  '/api/things/a%2Fb',
  '/api/things/a%5cb',
  '/api\\things\\a',
  '/api/things/a#b',
  '/API/things/a',
  '/api/Things/a',
  '/api/things/a;x=1/b',
  `/api/things/${'x'.repeat(600)}`,
  '/api/admin',
  '/api/admin/..;/things',
  '/api/__proto__',
  '/api/things/a/constructor',
]

const unreadable = [
  '/api/things/%',
  '/api/things/%zz',
  '/api/things/%ff',
  '/api/things/%00',
  '/api/things/a%c0%af',
]

for (const adapter of adapters) {
  describe(`paths on ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({
        adapter,
        routes: [
          defineRoute({
            ...open,
            name: 'test:thing.read',
            method: 'GET',
            path: '/things/:name',
            params: Type.Object({ name: Type.String() }),
            handler: ({ params }) => params.name,
          }),
          defineRoute({
            ...open,
            name: 'test:special.read',
            method: 'GET',
            path: '/things/special',
            handler: () => 'the special one',
          }),
          defineRoute({
            ...open,
            name: 'test:file.read',
            method: 'GET',
            path: '/files/*',
            params: Type.Object({ '*': Type.String() }),
            handler: ({ params }) => params['*'],
          }),
        ],
      })
    })
    after(() => service.stop())

    /** As it is, without what a URL parser would make of it. */
    async function statusOf(path: string, method = 'GET'): Promise<number | undefined> {
      const connection = await openConnection(service.http.url)
      connection.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      const answer = await connection.read()
      connection.close()
      return statusesIn(answer)[0]
    }

    for (const path of notFound) {
      it(`finds nothing at ${path.slice(0, 40)}`, async () => assert.equal(await statusOf(path), 404))
    }

    for (const path of unreadable) {
      it(`cannot read ${path}`, async () => assert.equal(await statusOf(path), 400))
    }

    it('decodes parameters', async () => {
      for (const name of ['é€', 'a b', 'a.b', '~x', 'a+b', '100%', 'a?b', '@me']) {
        const response = await service.fetch(`/things/${encodeURIComponent(name)}`)
        assert.deepEqual(await response.json(), { success: true, data: name })
      }
    })

    it('prefers a fixed path, and gives the rest of one that ends in a star', async () => {
      const data = async (path: string) =>
        ((await (await service.fetch(path)).json()) as { data: string }).data
      assert.equal(await data('/things/special'), 'the special one')
      assert.equal(await data('/files/a/b.txt'), 'a/b.txt')
    })

    it('answers 405 to methods that the path has no route for', async () => {
      for (const method of ['POST', 'DELETE', 'PROPFIND']) {
        assert.equal(await statusOf('/api/things/a', method), 405, method)
      }
    })

    it('serves under another prefix', async () => {
      const other = await startService({ adapter, env: { SVC_API_PREFIX: '/cms/v1' } })
      try {
        assert.equal((await fetch(`${other.http.url}/cms/v1/readyz`)).status, 200)
        assert.equal((await fetch(`${other.http.url}/api/readyz`)).status, 404)
      } finally {
        await other.stop()
      }
    })
  })
}
