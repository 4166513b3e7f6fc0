import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, newAdmin, newApiToken } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'

const plugin = (name: string, body: string) => ({
  [`plugins/${name}/plugin.js`]: `export default { name: '${name}', ${body} }`,
})

let service: TestService

interface Listed {
  readonly name: string
  readonly active: boolean
  readonly reason: string | null
}

describe('the list of plugins', () => {
  before(async () => {
    service = await startService({
      files: {
        ...plugin(
          'greeter',
          `description: 'Greets', version: '1.2.3', kind: 'plugin',
        configSchema: { loud: { type: 'boolean', label: 'Loud', default: false } }`,
        ),
        ...plugin('broken', `description: 7`),
        ...plugin('unwanted', `description: 'Not wanted'`),
      },
      env: { SVC_PLUGINS_DISABLED: 'unwanted,aggregate' },
    })
  })
  after(() => service.stop())

  it('tells which plugins are on, which are off and why, and what they contribute', async () => {
    const { data } = expectStatus(await service.admin.get('/api/admin/plugins'), 200).body
    const byName = new Map<string, Listed>((data as Listed[]).map((each) => [each.name, each]))
    assert.deepEqual(byName.get('greeter'), {
      ...{
        name: 'greeter',
        description: 'Greets',
        version: '1.2.3',
        core: false,
        active: true,
        reason: null,
      },
      contributes: { routes: [], settings: ['plugins.greeter.loud'], panelItems: [] },
    })
    const { contributes, ...releases } = byName.get('releases') as Listed & {
      contributes: { routes: string[] }
    }
    assert.deepEqual([releases.active, releases.reason], [true, null])
    assert.ok(contributes.routes.includes('GET /admin/content-releases'))
    for (const [name, why] of [
      ['broken', /description/],
      ['unwanted', /SVC_PLUGINS_DISABLED/],
      ['aggregate', /./],
    ] as const) {
      assert.equal(byName.get(name)?.active, false)
      assert.match(byName.get(name)?.reason ?? '', why)
    }
    assert.equal(byName.get('extensions')?.active, true)
  })

  it('is for administrators', async () => {
    const editor = await newAdmin(service, 'editor')
    const reader = await newApiToken(service, ['content:read'])
    const all = await newApiToken(service, ['admin:*'])
    expectStatus(await service.get('/api/admin/plugins'), 401)
    expectStatus(await editor.client.get('/api/admin/plugins'), 403)
    expectStatus(await reader.client.get('/api/admin/plugins'), 403)
    expectStatus(await all.client.get('/api/admin/plugins'), 200)
  })
})
