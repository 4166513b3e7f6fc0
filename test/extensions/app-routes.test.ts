import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, newAdmin, newUser } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { startService, type TestService } from '../support/service.ts'

const files = {
  ...moduleProject,
  'routes/hello.ts': pluginFile(`
import { greet } from './shared/greet.ts'
const base = { summary: 'Hello', access: 'open', path: '/hello' }
export default [
  http.defineRoute({ ...base, name: 'app:hello.read', method: 'get', handler: () => greet('GET') }),
  http.defineRoute({ ...base, name: 'app:hello.create', method: 'POST', handler: () => http.created(greet('POST')) }),
  http.defineRoute({ ...base, name: 'app:hello.update', method: 'put', handler: () => greet('PUT') }),
  http.defineRoute({ ...base, name: 'app:hello.delete', method: 'DELETE', handler: () => greet('DELETE') }),
]`),
  'routes/shared/greet.ts': `export const greet = (method: string) => 'hello ' + method`,
  'routes/count.ts': pluginFile(`
export default extensions.defineAppRoutes({
  uses: { content: content.contentService },
  routes: ({ services, contribute }) => {
    contribute(http.policies, {
      name: 'app.isNamedAdmin',
      check: ({ adminUser }) => adminUser?.username === 'admin' && adminUser.role === 'super-admin',
    })
    return [http.defineRoute({
      name: 'app:count.read', method: 'GET', path: '/', summary: 'How many authors there are',
      description: 'All of them, drafts included', access: 'permission', policies: ['isAuthenticated', 'app.isNamedAdmin'],
      async handler({ principal }) {
        return (await services.content.list('author', '', principal)).pagination.total
      },
    })]
  },
})`),
  'routes/broken.ts': `throw new Error('bad day')`,
  'routes/taken.ts': pluginFile(`
export default http.defineRoute({
  name: 'app:again.read', method: 'GET', path: '/hello', summary: 'Hello', access: 'open', handler: () => 'again',
})`),
  'routes/empty.ts': 'export const nothing = 1',
  'routes/notes.md': 'no routes',
}

describe('application routes', () => {
  let service: TestService
  before(async () => {
    service = await startService({ files, env: { SVC_PLUGINS_DISABLED: 'routes/off.ts' } })
  })
  after(() => service.stop())

  it('lie below /api/x/app, with every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const { status, body } = await service.request(method, '/api/x/app/hello')
      assert.equal(status, method === 'POST' ? 201 : 200)
      assert.equal(body.data, `hello ${method}`)
    }
    expectStatus(await service.patch('/api/x/app/hello', {}), 405)
  })

  it('may use services, and policies that see the admin user', async () => {
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
    assert.equal(expectStatus(await service.admin.get('/api/x/app'), 200).body.data, 1)
    expectStatus(await service.get('/api/x/app'), 401)
    const [user, other] = [await newUser(service), await newAdmin(service, 'super-admin')]
    for (const { token } of [user, other]) {
      expectStatus(await createClient(service.url, token).get('/api/x/app'), 403)
    }
  })

  it('are described in the API document', async () => {
    const { body } = await service.admin.get('/api/_docs/openapi.json')
    const { summary, description } = body.paths['/x/app'].get
    assert.deepEqual(
      { summary, description },
      {
        summary: 'How many authors there are',
        description: 'All of them, drafts included\n\nFor roles with the permission.',
      },
    )
  })

  it('of a file that fails are not there, and those of all others are', async () => {
    const { body } = await service.admin.get('/api/admin/operational-alerts?kind=plugin_failed')
    const reasons = new Map(
      body.data.map(({ details }: { details: { plugin: string; reason: string } }) => [
        details.plugin,
        details.reason,
      ]),
    )
    assert.deepEqual([...reasons.keys()].sort(), ['routes/broken.ts', 'routes/empty.ts', 'routes/taken.ts'])
    assert.match(String(reasons.get('routes/broken.ts')), /cannot be loaded: bad day/)
    assert.match(String(reasons.get('routes/empty.ts')), /it has no default export/)
    assert.match(
      String(reasons.get('routes/taken.ts')),
      /route GET \/api\/x\/app\/hello: two routes have this method/,
    )
  })
})

describe('a file of application routes', () => {
  it('is switched off by its name, and lies where the setting says', async (test) => {
    const { 'routes/hello.ts': hello } = files
    const service = await startService({
      files: {
        ...moduleProject,
        'http/hello.ts': hello,
        'http/shared/greet.ts': files['routes/shared/greet.ts'],
        'http/off.ts': `throw new Error('was loaded')`,
      },
      env: { SVC_PLUGINS_DISABLED: 'routes/off.ts', SVC_ROUTES_DIR: 'http' },
    })
    test.after(() => service.stop())
    expectStatus(await service.get('/api/x/app/hello'), 200)
    const off = service.kernel.plugins().filter(({ active }) => !active)
    assert.deepEqual(
      off.map(({ name, reason }) => [name, reason]),
      [['routes/off.ts', 'switched off by SVC_PLUGINS_DISABLED']],
    )
  })
})
