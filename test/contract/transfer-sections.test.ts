import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import {
  comparing,
  differencesBetween,
  type Place,
  remoteOf,
  sendPackage,
  startPlace,
  tokenOf,
  transfer,
} from './transfer-world.ts'

eachDatabase(({ name }) => {
  let here: Place
  let there: Place
  let remote: TransferSide
  before(async () => {
    const writable = (isWritable: boolean) => ({ SVC_SCHEMAS_WRITABLE: String(isWritable) })
    ;[here, there] = await Promise.all([
      startPlace('sqlite', writable(false)),
      startPlace(name, writable(true)),
    ])
    remote = await remoteOf(there)
  })
  after(() => Promise.all([here?.service.stop(), there?.service.stop()]))

  const only = (...groups: string[]) => ({ only: groups })
  const push = (group: string, options = {}, target = remote) =>
    transfer(here, here.side, target, options, only(group))
  const pull = (group: string, options = {}) => transfer(here, remote, here.side, options, only(group))
  const differences = (group: string) => differencesBetween(here.side, remote, only(group))
  const data = async (client: Client, path: string) => expectStatus(await client.get(path), 200).body.data
  const header = async () => {
    const [own, theirs] = await Promise.all([here.side.describe(), remote.describe()])
    return { format: 1, environment: own.environment, target: theirs.environment, missing: 'refuse' }
  }
  const line = (section: string, key: string, value: object) => ({
    ...{ section, key, action: 'put', before: null, source: 'x'.repeat(43), value },
  })

  describe('roles', () => {
    const permissions = { content: { author: { read: true, update: true } }, media: { read: true } }
    const roleOf = async (place: Place, role: string) =>
      (await data(place.service.admin, '/api/admin/roles')).find(
        (each: { name: string }) => each.name === role,
      )

    it('travel with what they may, forth and back', slow, async () => {
      assert.deepEqual(await differences('roles'), [])
      const made = { name: 'writer', description: 'Writes', permissions }
      expectStatus(await here.service.admin.post('/api/admin/roles', made), 201)
      assert.deepEqual(await differences('roles'), ['added roles:writer'])
      await push('roles')
      const { id, ...role } = await roleOf(there, 'writer')
      assert.deepEqual(
        [role.type, role.description, role.permissions.content.author.update, role.permissions.media.write],
        ['custom', 'Writes', true, false],
      )
      const change = { permissions: { ...permissions, media: {} } }
      expectStatus(await there.service.admin.put(`/api/admin/roles/${id}`, change), 200)
      assert.deepEqual(await differences('roles'), ['ahead roles:writer'])
      await pull('roles')
      assert.equal((await roleOf(here, 'writer')).permissions.media.read, false)
      expectStatus(
        await here.service.admin.delete(`/api/admin/roles/${(await roleOf(here, 'writer')).id}`),
        200,
      )
      await push('roles', { isDeleting: true })
      assert.equal(await roleOf(there, 'writer'), undefined)
    })

    it('give nobody more than whoever transfers them has', async () => {
      const scopes = ['admin:transfer:read', 'admin:transfer:write', 'admin:roles:read']
      const made = { name: 'publisher', permissions: { content: { '*': { publish: true } } } }
      expectStatus(await here.service.admin.post('/api/admin/roles', made), 201)
      const refused = /publisher/
      const by = async (...more: string[]) => push('roles', {}, await remoteOf(there, [...scopes, ...more]))
      await assert.rejects(by(), { code: 'FORBIDDEN', message: /takes admin:roles:write/ })
      await assert.rejects(by('admin:roles:write'), ({ details }: { details: { message: string }[] }) =>
        details.some(({ message }) => refused.test(message)),
      )
      await assert.rejects(by('admin:roles:write', 'content:publish:author'), { code: 'FORBIDDEN' })
      assert.equal(await roleOf(there, 'publisher'), undefined)
      await by('admin:roles:write', 'content:publish')
      assert.ok(await roleOf(there, 'publisher'))

      const full = await tokenOf(there)
      const value = { description: '', permissions: { content: {}, media: {} } }
      for (const [status, key, other] of [
        [403, 'admin', value],
        [403, 'super-admin', value],
        [400, ' x', value],
        [400, 'x', { ...value, permissions: { content: { nothing: { read: true } } } }],
        [400, 'x', { ...value, type: 'built-in' }],
        [400, 'x', { ...value, permissions: { content: { author: { own: true } } } }],
      ] as const) {
        const { applied } = await sendPackage(there, full, [await header(), line('roles', key, other)])
        assert.equal(applied.status, status, `${key}: ${JSON.stringify(applied.body)}`)
      }
      const before = (await remote.find('roles', ['admin']))[0]?.hash
      const { applied } = await sendPackage(there, full, [
        await header(),
        { ...line('roles', 'admin', value), before },
      ])
      assert.equal(applied.status, 403)
    })

    it('are not seen without the right to read them', async () => {
      const blind = await remoteOf(there, ['admin:transfer:read', 'content:read'])
      assert.deepEqual(
        (await blind.describe()).sections.map(({ group }) => group).filter((group) => group !== 'content'),
        [],
      )
      for (const section of ['roles', 'webhooks', 'settings', 'media']) {
        await assert.rejects(blind.page(section, ''), { code: 'FORBIDDEN' })
      }
    })
  })

  describe('webhooks', () => {
    const hook = {
      name: 'Deploy',
      url: 'https://hooks.example.com/deploy',
      events: ['entry.publish', 'entry.create'],
      content_types: ['author'],
      secret: 'not for others',
      headers: { 'x-site': 'shop', authorization: 'Bearer secret' },
    }
    const hooks = (place: Place) => data(place.service.admin, '/api/webhooks')

    it('arrive disabled, without secrets, and keep those that they are given there', async () => {
      expectStatus(await here.service.admin.post('/api/webhooks', hook), 201)
      const { written } = await push('webhooks')
      const text = JSON.stringify(await here.side.find('webhooks', await keysOf(here.side)))
      assert.doesNotMatch(text, /not for others|Bearer secret/)
      assert.ok(written.size > 0)
      const [arrived] = await hooks(there)
      assert.deepEqual(
        [arrived.name, arrived.enabled, arrived.hasSecret, arrived.headers, arrived.events.sort()],
        ['Deploy', false, false, { 'x-site': 'shop' }, ['entry.create', 'entry.publish']],
      )
      assert.match(arrived.made_by, /^token:/)
      const own = {
        enabled: true,
        secret: 'theirs',
        headers: { ...arrived.headers, authorization: 'theirs' },
      }
      expectStatus(await there.service.admin.put(`/api/webhooks/${arrived.id}`, own), 200)
      assert.deepEqual(await differences('webhooks'), [])

      const [made] = await hooks(here)
      const url = 'https://hooks.example.com/other'
      expectStatus(await here.service.admin.put(`/api/webhooks/${made.id}`, { url }), 200)
      await push('webhooks')
      const [changed] = await hooks(there)
      assert.deepEqual(
        [changed.url, changed.enabled, changed.hasSecret, changed.headers.authorization],
        [url, true, true, 'theirs'],
      )
      expectStatus(await there.service.admin.delete(`/api/webhooks/${changed.id}`), 200)
      await pull('webhooks', { isDeleting: true })
      assert.deepEqual(await hooks(here), [])
    })

    it('take the rights of webhooks, and cannot tell of what their maker may not read', async () => {
      const scopes = ['admin:transfer:read', 'admin:transfer:write', 'webhooks:read']
      const value = {
        name: 'x',
        url: hook.url,
        events: ['entry.create'],
        contentTypes: ['author'],
        headers: {},
      }
      const send = async (own: string[], more: object = {}) => {
        const lines = [await header(), line('webhooks', randomUUID(), { ...value, ...more })]
        return (await sendPackage(there, await tokenOf(there, own), lines)).applied.status
      }
      assert.equal(await send(scopes), 403)
      assert.equal(await send([...scopes, 'webhooks:write', 'content:read:home', 'content:write:home']), 400)
      const full = ['admin:*']
      assert.equal(await send(full, { url: 'file:///etc/passwd' }), 400)
      assert.equal(await send(full, { headers: { host: 'x' } }), 400)
      assert.equal(await send(full, { enabled: true }), 400)
      assert.equal(await send(full, { events: ['entry.nothing'] }), 400)
      assert.deepEqual(await hooks(there), [])
      assert.equal(await send(full), 200)
    })
  })

  describe('settings', () => {
    const set = async (place: Place, values: object) =>
      expectStatus(await place.service.admin.put('/api/admin/config', values), 200)
    const settingOf = async (place: Place, key: string) =>
      (await data(place.service.admin, '/api/admin/config/export'))[key]

    it('travel as far as they were set, and are in effect at once', async () => {
      await set(here, { 'transfer.maxItems': 1234 })
      assert.deepEqual(await differences('settings'), ['added settings:transfer.maxItems'])
      await push('settings')
      assert.equal(await settingOf(there, 'transfer.maxItems'), 1234)
      await set(there, { 'transfer.maxItems': 77 })
      await set(here, { 'transfer.maxItems': 78 })
      assert.deepEqual(await differences('settings'), ['conflict settings:transfer.maxItems'])
      await assert.rejects(push('settings'), { code: 'CONFLICT' })
      await push('settings', { onConflict: 'source' })
      assert.equal(await settingOf(there, 'transfer.maxItems'), 78)
      await set(here, { 'transfer.maxItems': null })
      await push('settings', { isDeleting: true })
      assert.equal(await settingOf(there, 'transfer.maxItems'), 500_000)
    })

    it('are checked like changes, and take their rights', async () => {
      const scopes = ['admin:transfer:read', 'admin:transfer:write', 'admin:config:read']
      const full = ['admin:*']
      const send = async (own: string[], key: string, value: unknown) => {
        const lines = [await header(), line('settings', key, { value })]
        return (await sendPackage(there, await tokenOf(there, own), lines)).applied.status
      }
      assert.equal(await send(scopes, 'transfer.maxItems', 5), 403)
      assert.equal(await send(full, 'transfer.maxItems', 'many'), 400)
      assert.equal(await send(full, 'no.such', 1), 400)
      assert.equal(await send(full, 'jwt.secret', 'x'.repeat(40)), 403)
      assert.equal(await send(full, 'site.url', 'https://elsewhere.example.com'), 403)
      assert.equal(await send(full, '__proto__', 1), 400)
      assert.equal(await settingOf(there, 'transfer.maxItems'), 500_000)
    })
  })

  describe('schemas', () => {
    const filesOf = async (place: Place) => {
      const { files, ...state } = await data(place.service.admin, '/api/admin/schemas')
      const contentOf = (path: string) => files.find((each: { path: string }) => each.path === path)?.content
      return { ...state, contentOf }
    }
    const withField = async (place: Place, path: string, field: string) => {
      const { attributes, ...rest } = (await filesOf(place)).contentOf(path)
      return { ...rest, attributes: { ...attributes, [field]: { type: 'string' } } }
    }

    it('are written as files, as a step of their own, and are used from the next start on', async () => {
      assert.deepEqual(await differences('schemas'), [])
      await push('schemas')
      const changed = await withField(here, 'memo.json', 'note')
      const file = join(here.service.workingDirectory, 'schemas', 'memo.json')
      await writeFile(file, JSON.stringify(changed))
      assert.deepEqual(await differences('schemas'), ['changed schemas:memo.json'])
      const before = (await remote.find('schemas', ['memo.json']))[0]?.hash
      await push('schemas')
      const { contentOf, isInUse } = await filesOf(there)
      assert.deepEqual([contentOf('memo.json').attributes.note, isInUse], [{ type: 'string' }, false])
      const { body: audit } = await there.service.admin.get('/api/admin/audit-logs?action=schema.write')
      assert.deepEqual(audit.data[0].details.written, ['memo.json'])

      // As if the process had died between the files and the transaction.
      const source = (await remote.find('schemas', ['memo.json']))[0]?.hash
      const again = { ...line('schemas', 'memo.json', changed), before, source }
      const token = await tokenOf(there)
      assert.equal((await sendPackage(there, token, [await header(), again])).applied.status, 200)
      const other = { ...again, source: 'y'.repeat(43) }
      assert.equal((await sendPackage(there, token, [await header(), other])).applied.status, 409)
    })

    it('are refused where they come with the project, and what could not be started with', async () => {
      const { version } = await filesOf(there)
      const author = await withField(there, 'author.json', 'bio')
      const body = { files: { 'author.json': author } }
      const written = await there.service.admin.put('/api/admin/schemas', body, {
        headers: { 'if-match': `"${version}"` },
      })
      assert.equal(written.status, 200, JSON.stringify(written.body))
      await assert.rejects(pull('schemas'), { code: 'FORBIDDEN', message: /schemas\.writable is off here/ })
      // Unless it is asked for, it is left out.
      await transfer(here, remote, here.side)
      assert.equal((await filesOf(here)).contentOf('author.json').attributes.bio, undefined)

      const token = await tokenOf(there)
      const memo = (await filesOf(there)).contentOf('memo.json')
      const wrong: [number, object[]][] = [
        [400, [line('schemas', 'broken.json', { kind: 'collectionType' })]],
        [400, [line('schemas', '../outside.json', memo)]],
        [400, [line('schemas', 'a/b.json', memo)]],
        [400, [line('schemas', 'x.json', memo), line('settings', 'transfer.maxItems', { value: 5 })]],
      ]
      for (const [status, lines] of wrong) {
        const { applied } = await sendPackage(there, token, [await header(), ...lines])
        assert.equal(applied.status, status, JSON.stringify(applied.body))
      }
      const reading = ['admin:transfer:read', 'admin:transfer:write', 'admin:schemas:read']
      const lines = [await header(), line('schemas', 'x.json', memo)]
      assert.equal((await sendPackage(there, await tokenOf(there, reading), lines)).applied.status, 403)
      assert.equal((await filesOf(there)).contentOf('x.json'), undefined)
    })
  })

  it('all sections are applied together, or none of them', async () => {
    expectStatus(await here.service.admin.post('/api/admin/roles', { name: 'together' }), 201)
    const author = await here.create('author', { name: 'Together' })
    const comparison = await comparing(here.side, remote)
    assert.deepEqual([...new Set(comparison.target.described.sections.map(({ group }) => group))].sort(), [
      'content',
      'media',
      'roles',
      'schemas',
      'settings',
      'webhooks',
    ])
    const scopes = ['admin:transfer:read', 'admin:transfer:write', 'content:read', 'content:drafts']
    const some = await remoteOf(there, [...scopes, 'admin:roles:read', 'admin:roles:write'])
    await assert.rejects(transfer(here, here.side, some), { code: 'FORBIDDEN', message: /content:author/ })
    const seen = await remote.find('roles', ['together'])
    assert.deepEqual(seen, [])
    const all = await remoteOf(there, [...scopes, 'content:write', 'admin:roles:read'])
    const { result } = await transfer(here, here.side, all)
    assert.deepEqual([result.sections['content:author']?.put, result.sections.roles], [1, undefined])
    assert.ok(author.id > 0)
  })
})

async function keysOf(side: TransferSide) {
  return (await side.page('webhooks', '')).map(({ key }) => key)
}
