import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { panelItems } from '../../core-plugins/panel/extensions/extensions.ts'
import { definePlugin } from '../../kernel/index.ts'
import serviceManifest from '../../package.json' with { type: 'json' }
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const path = '/api/admin/panel'

const typeFile = (name: string) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: 'string' } },
  },
})

const items = definePlugin({
  name: 'items',
  description: 'Adds to the panel',
  register({ contribute }) {
    const shared = { kind: 'navigation', href: '/x' } as const
    contribute(panelItems, { ...shared, id: 'items:all', label: 'All', access: 'admin-user' })
    contribute(panelItems, { ...shared, id: 'items:area', label: 'Some', access: 'area' })
  },
})

eachDatabase(({ name }) => {
  let service: TestService
  let limited: Client

  before(async () => {
    service = await startService({
      database: name,
      schemas: { ...typeFile('page'), ...typeFile('vault') },
      plugins: [items],
      env: { SVC_PLUGINS_DISABLED: 'webhooks,releases' },
    })
    const content = { page: { read: true, publish: true }, vault: { update: true } }
    const role = { name: 'limited', description: '', permissions: { content, media: { read: true } } }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    limited = (await newAdmin(service, 'limited')).client
  })
  after(() => service.stop())

  const read = async (client: Client) => expectStatus(await client.get(path), 200).body.data

  describe('the document that the panel starts with', () => {
    it('says who calls and what they may do', async () => {
      const { me, permissions, items, ...rest } = await read(limited)
      assert.equal(me.role, 'limited')
      assert.deepEqual(permissions, {
        content: { page: ['read', 'publish'] },
        media: ['read'],
        areas: {},
        isAdministrator: false,
        isSuperAdmin: false,
      })
      assert.deepEqual(
        items.navigation.map(({ id }: { id: string }) => id),
        ['items:all'],
      )
      assert.deepEqual([rest.modules, rest.theme], [[], ''])
      assert.deepEqual(rest.versions, { mortise: serviceManifest.version })
      assert.equal(JSON.stringify({ me, permissions, items, rest }).includes('vault'), false)
    })

    it('says what administrators may do, without what is switched off', async () => {
      const { me, permissions, items, plugins, settings } = await read(service.admin)
      assert.equal(me.username, 'admin')
      assert.deepEqual(Object.keys(permissions.content), ['page', 'vault'])
      assert.deepEqual(permissions.content.vault, ['read', 'create', 'update', 'delete', 'publish'])
      assert.deepEqual([permissions.isAdministrator, permissions.isSuperAdmin], [true, true])
      assert.deepEqual(permissions.areas.jobs, ['read', 'write'])
      assert.deepEqual([permissions.areas.webhooks, permissions.areas.releases], [undefined, undefined])
      assert.equal(items.navigation.length, 2)
      assert.equal(plugins.includes('i18n') && plugins.includes('items'), true)
      assert.equal(plugins.includes('webhooks'), false)
      assert.equal(settings['site.name'], 'Mortise')
      assert.deepEqual(settings['localization.locales'], ['en'])
      for (const key of Object.keys(settings)) assert.doesNotMatch(key, /secret|jwt|database|firstAdmin/i)
    })

    it('is answered by 304 until something changes', async () => {
      const etag = (await limited.get(path)).headers.get('etag') ?? ''
      const headers = { 'if-none-match': etag }
      assert.equal((await limited.get(path, { headers })).status, 304)
      assert.equal((await service.admin.get(path, { headers })).status, 200)
      expectStatus(await service.admin.put('/api/admin/config', { 'site.name': 'Elsewhere' }), 200)
      const changed = expectStatus(await limited.get(path, { headers }), 200).body.data
      assert.equal(changed.settings['site.name'], 'Elsewhere')
    })

    it('is for admin users', async () => {
      const user = await newUser(service)
      const token = await newApiToken(service, ['admin:*'])
      expectStatus(await service.get(path), 401)
      expectStatus(await user.client.get(path), 401)
      expectStatus(await token.client.get(path), 403)
      const blocked = await newAdmin(service, 'admin')
      expectStatus(await service.admin.put(`/api/admin/users/${blocked.id}`, { blocked: true }), 200)
      expectStatus(await blocked.client.get(path), 401)
    })
  })
})
