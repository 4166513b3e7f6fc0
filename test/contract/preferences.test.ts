import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { maxPreferences } from '../../core-plugins/accounts/preferences/preference-store.ts'
import { maxOwnViews } from '../../core-plugins/accounts/preferences/view-store.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const typeFile = (name: string) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: 'string' } },
  },
})

interface View {
  readonly id: number
  readonly name: string
  readonly mine: boolean
  readonly editable: boolean
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller
  let other: Caller
  /** May read pages, but no vault. */
  let limited: Caller

  before(async () => {
    service = await startService({ database: name, schemas: { ...typeFile('page'), ...typeFile('vault') } })
    const content = { page: { read: true } }
    const role = { name: 'limited', description: '', permissions: { content, media: {} } }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    editor = await newAdmin(service, 'editor')
    other = await newAdmin(service, 'editor')
    limited = await newAdmin(service, 'limited')
  })
  after(() => service.stop())

  const preference = (key: string) => `/api/admin/preferences/${key}`
  const strangers = async (): Promise<[Pick<Client, 'get' | 'put' | 'post' | 'delete'>, number][]> => [
    [service, 401],
    [(await newUser(service)).client, 401],
    [(await newApiToken(service, ['admin:*'])).client, 403],
  ]

  describe('preferences', () => {
    it('are kept, replaced and forgotten, for each admin user alone', async () => {
      const value = { columns: ['title', 'é 😀'], nested: [[null, 1.5, true]], text: 'a\nb' }
      const path = preference('list.page:columns')
      expectStatus(await editor.client.get(path), 404)
      assert.deepEqual(expectStatus(await editor.client.put(path, { value }), 200).body.data, value)
      assert.deepEqual(expectStatus(await editor.client.get(path), 200).body.data, value)
      expectStatus(await other.client.get(path), 404)
      expectStatus(await other.client.delete(path), 404)
      for (const again of [null, 0, '', value, value]) {
        expectStatus(await editor.client.put(path, { value: again }), 200)
        assert.deepEqual(expectStatus(await editor.client.get(path), 200).body.data, again)
      }
      expectStatus(await editor.client.delete(path), 200)
      expectStatus(await editor.client.get(path), 404)
      expectStatus(await editor.client.delete(path), 404)
    })

    it('are bounded in size, number and name', async () => {
      const { client } = await newAdmin(service, 'editor')
      expectStatus(await client.put(preference('big'), { value: 'x'.repeat(64 * 1024) }), 413)
      expectStatus(await client.put(preference('big'), { value: 'x'.repeat(60 * 1024) }), 200)
      for (const key of ['a%20b', '-a', 'a'.repeat(101), '%2e%2e', 'a%00']) {
        assert.ok([400, 404].includes((await client.put(preference(key), { value: 1 })).status), key)
      }
      for (const body of [{}, { value: 1, more: 2 }, [], 'x']) {
        expectStatus(await client.put(preference('a'), body), 400)
      }
      const keys = Array.from({ length: maxPreferences + 4 }, (_, index) => `k${index}`)
      const statuses = await Promise.all(
        keys.map(async (key) => (await client.put(preference(key), { value: 1 })).status),
      )
      // One is there already.
      assert.equal(statuses.filter((status) => status === 200).length, maxPreferences - 1)
      assert.equal(statuses.filter((status) => status === 409).length, 5)
      expectStatus(await client.put(preference('big'), { value: 2 }), 200)
    })

    it('are for admin users, and go with them', async () => {
      for (const [client, status] of await strangers()) {
        expectStatus(await client.get(preference('a')), status)
        expectStatus(await client.put(preference('a'), { value: 1 }), status)
        expectStatus(await client.delete(preference('a')), status)
      }
      const leaving = await newAdmin(service, 'editor')
      expectStatus(await leaving.client.put(preference('a'), { value: 1 }), 200)
      expectStatus(await service.admin.delete(`/api/admin/users/${leaving.id}`), 200)
      expectStatus(await leaving.client.get(preference('a')), 401)
    })
  })

  describe('views', () => {
    const save = (client: Client, view: object) =>
      client.post('/api/admin/views', { type: 'page', config: { sort: 'title' }, ...view })
    const saved = async (client: Client, view: object) =>
      expectStatus(await save(client, view), 201).body.data
    const viewsOf = async (client: Client, type = 'page'): Promise<readonly View[]> =>
      expectStatus(await client.get(`/api/admin/views?type=${type}`), 200).body.data
    const names = async (client: Client) => (await viewsOf(client)).map(({ name }) => name)

    it('are private until they are shared with roles', async () => {
      const view = await saved(editor.client, { name: 'mine' })
      assert.deepEqual(
        [view.name, view.config, view.roles, view.owner, view.mine, view.editable],
        ['mine', { sort: 'title' }, null, { id: editor.id }, true, true],
      )
      assert.equal((await names(other.client)).includes('mine'), false)
      assert.equal((await names(service.admin)).includes('mine'), false)
      const path = `/api/admin/views/${view.id}`
      for (const client of [other.client, service.admin, limited.client]) {
        expectStatus(await client.put(path, { name: 'stolen' }), 404)
        expectStatus(await client.delete(path), 404)
      }
      expectStatus(await editor.client.put(path, { roles: ['editor'] }), 200)
      const [seen] = (await viewsOf(other.client)).filter(({ id }) => id === view.id)
      assert.deepEqual([seen?.mine, seen?.editable], [false, false])
      assert.equal((await names(limited.client)).includes('mine'), false)
      expectStatus(await other.client.put(path, { name: 'stolen' }), 403)
      expectStatus(await other.client.delete(path), 403)
      const changed = await editor.client.put(path, { ...view, name: 'ours', config: {}, roles: ['editor'] })
      assert.deepEqual(expectStatus(changed, 200).body.data.config, {})
      expectStatus(await service.admin.delete(path), 200)
      expectStatus(await editor.client.delete(path), 404)
    })

    it('are shared by administrators with any role, by others with their own', async () => {
      for (const roles of [['limited'], ['editor', 'limited'], ['super-admin']]) {
        expectStatus(await save(editor.client, { name: 'x', roles }), 403)
      }
      const view = await saved(service.admin, { name: 'for all', roles: ['editor', 'limited'] })
      for (const { client } of [editor, other, limited]) {
        assert.equal((await names(client)).includes('for all'), true)
      }
      const own = await saved(editor.client, { name: 'own' })
      expectStatus(await editor.client.put(`/api/admin/views/${own.id}`, { roles: ['limited'] }), 403)
      expectStatus(await service.admin.put(`/api/admin/views/${view.id}`, { roles: null }), 200)
      assert.equal((await names(limited.client)).includes('for all'), false)
    })

    it('tell nothing of a type that the caller may not read', async () => {
      const view = await saved(service.admin, { type: 'vault', name: 'gold', roles: ['limited', 'editor'] })
      const answers = await Promise.all([
        ...['vault', 'nothing', 'user'].map((type) => limited.client.get(`/api/admin/views?type=${type}`)),
        ...['vault', 'nothing', 'user'].map((type) => save(limited.client, { type, name: 'x' })),
      ])
      for (const { status, body } of answers) {
        assert.deepEqual([status, body.error.message], [403, answers[0]?.body.error.message])
      }
      expectStatus(await limited.client.put(`/api/admin/views/${view.id}`, { name: 'x' }), 404)
      expectStatus(await limited.client.delete(`/api/admin/views/${view.id}`), 404)
      assert.equal((await viewsOf(editor.client, 'vault')).length, 1)
      expectStatus(await service.admin.get('/api/admin/views?type=nothing'), 404)
    })

    it('are bounded, checked, and for admin users', async () => {
      const hostile = [
        { name: '' },
        { name: ' ' },
        { name: 'a\u0000b' },
        { name: 'x'.repeat(101) },
        { name: 'x', config: [] },
        { name: 'x', roles: [] },
        { name: 'x', roles: ['editor', 'editor'] },
        { name: 'x', owner: 1 },
      ]
      for (const view of hostile) expectStatus(await save(editor.client, view), 400)
      expectStatus(await save(editor.client, { name: 'x', config: { a: 'x'.repeat(17_000) } }), 413)
      const { client } = await newAdmin(service, 'editor')
      const statuses = await Promise.all(
        Array.from({ length: maxOwnViews + 3 }, async () => (await save(client, { name: 'x' })).status),
      )
      assert.equal(statuses.filter((status) => status === 201).length, maxOwnViews)
      for (const [stranger, status] of await strangers()) {
        expectStatus(await stranger.get('/api/admin/views?type=page'), status)
        expectStatus(await stranger.post('/api/admin/views', { type: 'page', name: 'x', config: {} }), status)
      }
    })
  })

  describe('people', () => {
    const people = async (client: Client, query = '') =>
      expectStatus(await client.get(`/api/admin/people${query}`), 200).body.data

    it('are found by a part of the username, and by nothing else', async () => {
      const [found, ...others] = await people(
        limited.client,
        `?search=${editor.username.slice(4).toUpperCase()}`,
      )
      assert.deepEqual([found, others], [{ id: editor.id, username: editor.username }, []])
      assert.deepEqual(await people(limited.client, '?search=example.com'), [])
      assert.deepEqual(await people(limited.client, '?search=%25'), [])
      const all = await people(editor.client, '?limit=50')
      assert.deepEqual(
        all,
        [...all].sort((a, b) => (a.username < b.username ? -1 : 1)),
      )
      assert.equal((await people(editor.client, '?limit=2')).length, 2)
      for (const query of ['?limit=51', '?limit=0', '?search=%00', '?role=editor']) {
        expectStatus(await editor.client.get(`/api/admin/people${query}`), 400)
      }
    })

    it('are shown to admin users, without those who are blocked', async () => {
      for (const [client, status] of await strangers()) {
        expectStatus(await client.get('/api/admin/people'), status)
      }
      const gone = await newAdmin(service, 'editor')
      const search = `?search=${gone.username}`
      assert.equal((await people(editor.client, search)).length, 1)
      expectStatus(await service.admin.put(`/api/admin/users/${gone.id}`, { blocked: true }), 200)
      assert.deepEqual(await people(editor.client, search), [])
      expectStatus(await gone.client.get('/api/admin/people'), 401)
    })
  })
})
