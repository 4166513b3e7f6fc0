import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adapters } from '../support/adapters.ts'
import { createClient } from '../support/client.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'

const route = (plugin: string, path: string, rest = '') => `defineRoute({
  name: '${plugin}:${path.replaceAll('/', '.')}.read', method: 'GET', path: '${path}', mountedAt: 'root', summary: 'A page',
  access: 'open', handler: () => new Reply(200, { kind: 'raw', body: '${plugin}', mediaType: 'text/plain' }), ${rest} })`

const plugin = (name: string, ...made: readonly string[]) => `
  import { AppError, defineFallback, definePlugin, defineRoute, fallbacks, redirect, Reply, routes, Type } from 'mortise/plugin'
  export default definePlugin({ name: '${name}', description: 'A plugin.', register({ contribute }) {
    ${made.map((each) => `contribute(routes, ${each})`).join('\n')}
  } })`

/** Routes at the root that no plugin may have. */
const refused: Readonly<Record<string, string>> = {
  below: '/api/things',
  prefix: '/api',
  case: '/API/things',
  any: '/:what/things',
  everything: '/*',
  panel: '/admin',
  'panel-below': '/admin/login/:what',
  files: '/files/mine',
  'files-any': '/files/:name',
  word: '/a b',
}

describe('routes of plugins at the root', () => {
  for (const adapter of adapters) {
    it(`are guarded like others on ${adapter}`, slow, async (test) => {
      const service = await startService({
        adapter,
        files: {
          ...moduleProject,
          'plugins/site/plugin.ts': plugin(
            'site',
            route('site', '/robots.txt'),
            route(
              'site',
              '/.well-known/:what',
              `params: Type.Object({ what: Type.String({ maxLength: 3 }) }),`,
            ),
            route('site', '/'),
            route('site', '/secret', `access: 'admin-user',`),
            `defineRoute({ name: 'site:form.create', method: 'POST', path: '/form', mountedAt: 'root', summary: 'A form',
              access: 'area', scope: 'admin:site', maxBodyBytes: 1024, body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
              handler: ({ body }) => ({ name: body.name }) })`,
          ),
        },
      })
      test.after(() => service.stop())
      const statuses = async (path: string) => [
        (await service.get(path)).status,
        (await service.admin.get(path)).status,
      ]
      assert.deepEqual(await statuses('/robots.txt'), [200, 200])
      assert.deepEqual(await statuses('/'), [200, 200])
      assert.deepEqual(await statuses('/.well-known/abc'), [200, 200])
      assert.deepEqual(await statuses('/.well-known/abcd'), [404, 404])
      assert.deepEqual(await statuses('/secret'), [401, 200])
      assert.deepEqual(await statuses('/api/robots.txt'), [404, 404])
      assert.deepEqual(await statuses('/api/x/site/robots.txt'), [404, 404])
      assert.equal((await service.post('/form', { name: 'a' })).status, 401)
      assert.equal((await service.admin.post('/form', { name: 'a' })).status, 200)
      assert.equal((await service.admin.post('/form', { nam: 'a' })).status, 400)
      assert.equal((await service.admin.post('/form', { name: 'a'.repeat(2000) })).status, 413)
      assert.equal((await createClient(service.url, 'bad').get('/secret')).status, 401)
      const { body } = await service.admin.get('/api/_docs/openapi.json')
      assert.deepEqual(body.paths['/robots.txt'].get.servers, [{ url: '/' }])
    })
  }

  it('cannot take what others answer', slow, async (test) => {
    const service = await startService({
      env: { STORAGE_BASE_URL: '/files' },
      files: {
        ...moduleProject,
        ...Object.fromEntries(
          Object.entries(refused).map(([name, path]) => [
            `plugins/${name}/plugin.ts`,
            plugin(name, route(name, path)),
          ]),
        ),
        'plugins/first/plugin.ts': plugin('first', route('first', '/pages/:id'), route('first', '/apis')),
        'plugins/second/plugin.ts': plugin('second', route('second', '/pages/:slug')),
        'plugins/twin/plugin.ts': plugin('twin', route('twin', '/one'), route('twin', '/one')),
      },
    })
    test.after(() => service.stop())
    const reasons = new Map(
      service.kernel
        .plugins()
        .filter(({ active }) => !active)
        .map(({ name, reason }) => [name, reason]),
    )
    for (const name of Object.keys(refused)) {
      assert.match(String(reasons.get(name)), /has the path ".*"/, name)
      reasons.delete(name)
    }
    assert.deepEqual([...reasons.keys()].sort(), ['second', 'twin'])
    assert.match(
      String(reasons.get('second')),
      /two routes have this method and path: first:.* of the plugin first and second:.* of the plugin second/,
    )
    assert.equal((await service.get('/pages/7')).status, 200)
    assert.equal((await service.get('/apis')).status, 200)
  })
})
