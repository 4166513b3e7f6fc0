import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { panelItems } from '../../core-plugins/panel/extensions/extensions.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { createKernel, definePlugin, silentLog } from '../../kernel/index.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { startService, type TestService } from '../support/service.ts'

const plugin = pluginFile(`
export default kernel.definePlugin({
  name: 'shop',
  description: 'A shop',
  configSchema: { currency: { type: 'string', label: 'Currency', default: 'EUR' } },
  register({ contribute }) {
    const items = [
      { kind: 'navigation', id: 'shop:orders', label: 'Orders', icon: 'cart', href: '/admin/shop', order: 2, access: 'admin-user' },
      { kind: 'navigation', id: 'shop:help', label: 'Help', href: 'https://help.example.com', order: 1, access: 'open' },
      { kind: 'widget', id: 'shop:sales', label: 'Sales', source: '/x/shop/sales', display: 'number', access: 'area' },
      { kind: 'settings', id: 'shop:settings', label: 'Shop', category: 'plugins.shop', access: 'permission', policies: ['shop.isBoss'] },
    ]
    for (const item of items) contribute(extensions.panelItems, item)
    contribute(http.policies, { name: 'shop.isBoss', check: async ({ adminUser }) => adminUser?.role === 'super-admin' })
  },
})`)

describe('what plugins add to the panel', () => {
  let service: TestService
  before(async () => {
    const lost = plugin.replaceAll('shop', 'lost').replace("['lost.isBoss']", "['nobody.has']")
    service = await startService({
      files: { ...moduleProject, 'plugins/shop/plugin.ts': plugin, 'plugins/lost/plugin.ts': lost },
    })
  })
  after(() => service.stop())

  const orders = { id: 'shop:orders', label: 'Orders', icon: 'cart', href: '/admin/shop' }
  const help = { id: 'shop:help', label: 'Help', href: 'https://help.example.com' }
  const sales = { id: 'shop:sales', label: 'Sales', source: '/x/shop/sales', display: 'number' }
  const settings = { id: 'shop:settings', label: 'Shop', category: 'plugins.shop' }
  const seenWith = async (token: string) =>
    expectStatus(await createClient(service.url, token).get('/api/admin/panel-items'), 200).body.data

  it('is told each admin user as far as it is for them', async () => {
    const [editor, admin, boss] = [
      await newAdmin(service, 'editor'),
      await newAdmin(service, 'admin'),
      await newAdmin(service, 'super-admin'),
    ]
    const navigation = [help, orders]
    assert.deepEqual(await seenWith(editor.token), { navigation, widgets: [], settings: [] })
    assert.deepEqual(await seenWith(admin.token), { navigation, widgets: [sales], settings: [] })
    assert.deepEqual(await seenWith(boss.token), { navigation, widgets: [sales], settings: [settings] })
  })

  it('is for admin users only', async () => {
    const path = '/api/admin/panel-items'
    expectStatus(await service.get(path), 401)
    expectStatus(await createClient(service.url, (await newUser(service)).token).get(path), 401)
    expectStatus(
      await createClient(service.url, (await newApiToken(service, ['admin:*'])).token).get(path),
      403,
    )
  })

  it('switches a plugin off whose item asks for a policy that is not there', () => {
    const lost = service.kernel.plugins().find(({ name }) => name === 'lost')
    assert.equal(lost?.active, false)
    assert.match(lost?.reason ?? '', /names the policy nobody.has, which is unknown/)
  })
})

describe('an item of the panel that is wrong', () => {
  const item = { kind: 'navigation', id: 'shop:orders', label: 'Orders', href: '/x', access: 'open' }
  const cases: [string, object, RegExp][] = [
    ['of another plugin', { id: 'admin:x' }, /must be named shop:<what>/],
    ['without a label', { label: '' }, /must have a label/],
    ['with a script', { href: 'javascript:alert(1)' }, /must have an href/],
    ['with another server', { href: '//evil.example' }, /must have an href/],
    ['of no known kind', { kind: 'banner' }, /must be of the kind/],
    ['without a source', { kind: 'widget' }, /must have a source/],
    ['without access', { access: undefined }, /must say who has access/],
  ]
  for (const [what, rest, expected] of cases) {
    it(`is refused: ${what}`, async () => {
      const shop = definePlugin({
        name: 'shop',
        description: 'A shop',
        register: ({ contribute }) => contribute(panelItems, { ...item, ...rest } as never),
      })
      const kernel = createKernel({
        plugins: [mountPlugin(shop, { space: 'shop', listenerTimeoutMs: 1_000 })],
        log: silentLog,
      })
      await assert.rejects(kernel.start(), expected)
    })
  }
})
