import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, newAdmin, newApiToken, newUser, problemsOf } from './auth-callers.ts'

function typeNamed(name: string) {
  return {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: 'string' } },
  }
}

const schemas = { 'article.json': typeNamed('article'), 'page.json': typeNamed('page') }
const path = '/api/admin/roles'
const nothing = { read: false, create: false, update: false, delete: false, publish: false }
const noMedia = { read: false, write: false, delete: false }

let count = 0
const newName = () => `role ${count++}`

eachDatabase((database) => {
  describe('roles', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database: database.name, schemas })
    })
    after(() => service.stop())

    const create = async (permissions: object = {}) => {
      const answer = await service.admin.post(path, { name: newName(), permissions })
      return expectStatus(answer, 201).body.data
    }
    const idOf = async (name: string): Promise<number> => {
      const roles = expectStatus(await service.admin.get(path), 200).body.data
      return roles.find((role: { name: string }) => role.name === name).id
    }

    it('are there from the start', async () => {
      const { data } = expectStatus(await service.admin.get(path), 200).body
      const names = ['super-admin', 'admin', 'editor', 'authenticated', 'public']
      const builtIn = data.filter((role: { type: string }) => role.type === 'built-in')
      assert.deepEqual(
        builtIn.map((role: { name: string }) => role.name),
        names,
      )
      assert.deepEqual(builtIn[4].permissions, { content: {}, media: noMedia })
    })

    it('are created, read, changed and deleted', async () => {
      const permissions = { content: { article: { read: true } }, media: { write: true } }
      const name = newName()
      const body = { name, description: 'Writes', type: 'custom', permissions }
      const { id, created_at, updated_at, ...made } = expectStatus(await service.admin.post(path, body), 201)
        .body.data
      assert.deepEqual(made, {
        ...{ name, description: 'Writes', type: 'custom', holders: { admin_users: 0, content_users: 0 } },
        permissions: { content: { article: { ...nothing, read: true } }, media: { ...noMedia, write: true } },
      })
      const read = expectStatus(await service.admin.get(`${path}/${id}`), 200).body.data
      assert.deepEqual(read, { id, created_at, updated_at, ...made })

      const sentBack = { ...read, description: '' }
      const changed = expectStatus(await service.admin.put(`${path}/${id}`, sentBack), 200).body.data
      assert.deepEqual(changed, { ...sentBack, updated_at: changed.updated_at })
      assert.deepEqual(expectStatus(await service.admin.delete(`${path}/${id}`), 200).body.data, { id })
      for (const method of ['GET', 'DELETE']) {
        expectStatus(await service.admin.request(method, `${path}/${id}`), 404)
      }
      expectStatus(await service.admin.put(`${path}/${id}`, {}), 404)
    })

    it('refuse what does not fit', async () => {
      const answer = await service.admin.post(path, {
        ...{ name: ' x', type: 'built-in', extra: 1 },
        permissions: { content: { article: { read: 'yes', write: true } }, media: { publish: true } },
      })
      assert.deepEqual(problemsOf(expectStatus(answer, 400)), {
        ...{ name: 'pattern', type: 'const', extra: 'additionalProperties' },
        'permissions.content.article.read': 'type',
        'permissions.content.article.write': 'additionalProperties',
        'permissions.media.publish': 'additionalProperties',
      })
      const content = { nothing: { read: true }, user: { read: true }, '*': { read: true } }
      const unknown = await service.admin.post(path, { name: newName(), permissions: { content } })
      assert.deepEqual(problemsOf(expectStatus(unknown, 400)), {
        'permissions.content.nothing': 'unknown',
        'permissions.content.user': 'unknown',
      })
      const role = await create()
      expectStatus(await service.admin.post(path, { name: role.name }), 409)
      expectStatus(await service.admin.post(path, { name: 'editor' }), 409)
      expectStatus(await service.admin.put(`${path}/${role.id}`, { name: 'editor' }), 409)
    })

    it('give content users what they say, at once', async () => {
      const role = await create({ content: { article: { read: true } } })
      const { client } = await newUser(service, role.name)
      expectStatus(await client.get('/api/content/article'), 200)
      expectStatus(await client.post('/api/content/article', { title: 'x' }), 403)
      expectStatus(await client.get('/api/content/page'), 403)
      const permissions = { content: { article: { create: true }, page: { read: true } } }
      expectStatus(await service.admin.put(`${path}/${role.id}`, { permissions }), 200)
      expectStatus(await client.get('/api/content/article'), 403)
      expectStatus(await client.post('/api/content/article', { title: 'x' }), 201)
      expectStatus(await client.get('/api/content/page'), 200)
    })

    it('give admin users with a custom role content, and no administration', async () => {
      const role = await create({ content: { '*': { read: true }, page: {} } })
      const { client } = await newAdmin(service, role.name)
      expectStatus(await client.get('/api/content/article'), 200)
      expectStatus(await client.get('/api/content/page'), 403)
      expectStatus(await client.get('/api/content/nothing'), 403)
      expectStatus(await client.get(path), 403)
    })

    it('hide which types there are from those who may not see them all', async () => {
      const { client } = await newUser(service)
      const role = await create({ content: { article: { read: true } } })
      const reader = await newUser(service, role.name)
      const editor = await newAdmin(service, 'editor')
      for (const type of ['page', 'nothing', '__proto__', 'user']) {
        expectStatus(await service.get(`/api/content/${type}`), 401)
        expectStatus(await client.get(`/api/content/${type}`), 403)
        expectStatus(await reader.client.get(`/api/content/${type}`), 403)
        expectStatus(await editor.client.get(`/api/content/${type}`), type === 'page' ? 200 : 404)
      }
    })

    it('public and authenticated can be given permissions, and neither renamed nor deleted', async () => {
      const user = await newUser(service)
      for (const [name, client, before] of [
        ['public', service, 401],
        ['authenticated', user.client, 403],
      ] as const) {
        const id = await idOf(name)
        const put = (body: object) => service.admin.put(`${path}/${id}`, body)
        expectStatus(await client.get('/api/content/page'), before)
        expectStatus(await put({ permissions: { content: { page: { read: true } } } }), 200)
        expectStatus(await client.get('/api/content/page'), 200)
        expectStatus(await client.get('/api/content/article'), before)
        expectStatus(await put({ permissions: {} }), 200)
        expectStatus(await client.get('/api/content/page'), before)
        expectStatus(await put({ name: newName() }), 409)
        expectStatus(await service.admin.delete(`${path}/${id}`), 409)
      }
    })

    it('super-admin cannot be changed, admin by super-admins alone', async () => {
      const admin = await newAdmin(service, 'admin')
      const fullToken = await newApiToken(service, ['admin:*'])
      const superAdminId = await idOf('super-admin')
      const adminId = await idOf('admin')
      expectStatus(await service.admin.put(`${path}/${superAdminId}`, { permissions: {} }), 409)
      expectStatus(await service.admin.delete(`${path}/${superAdminId}`), 409)
      for (const { client } of [admin, fullToken]) {
        expectStatus(await client.put(`${path}/${adminId}`, { permissions: {} }), 403)
      }
      const permissions = { content: { '*': { read: true, create: true } }, media: { read: true } }
      expectStatus(await service.admin.put(`${path}/${adminId}`, { permissions }), 200)

      const { client } = admin
      const grant = (content: object, media = {}) =>
        client.post(path, { name: newName(), permissions: { content, media } })
      const page = expectStatus(await client.post('/api/content/page', { title: 'x' }), 201).body
      const pagePath = `/api/content/page/${page.data.id}`
      expectStatus(await client.delete(pagePath), 403)
      expectStatus(await grant({ page: { read: true, create: true } }), 201)
      expectStatus(await grant({ page: { delete: true } }), 403)
      expectStatus(await grant({ '*': { publish: true } }), 403)
      expectStatus(await grant({}, { delete: true }), 403)
      const token = (...scopes: string[]) => client.post('/api/admin/api-tokens', { name: 'x', scopes })
      expectStatus(await token('content:read', 'media:read', 'admin:users:read'), 201)
      expectStatus(await token('content:write'), 403)
      expectStatus(await token('admin:*'), 403)
      expectStatus(await client.post(`/api/admin/api-tokens/${fullToken.id}/regenerate`), 403)
      const actions = { read: true, create: true, update: true, delete: true, publish: true }
      const everything = { content: { '*': actions }, media: { read: true, write: true, delete: true } }
      expectStatus(await service.admin.put(`${path}/${adminId}`, { permissions: everything }), 200)
      expectStatus(await client.delete(pagePath), 200)
    })

    it('in use cannot be deleted, and take their holders along when they are renamed', async () => {
      const role = await create({ content: { article: { read: true } } })
      const user = await newUser(service, role.name)
      const admin = await newAdmin(service, role.name)
      const refused = expectStatus(await service.admin.delete(`${path}/${role.id}`), 409)
      assert.equal(refused.body.error.code, 'RESTRICTED')
      const name = newName()
      expectStatus(await service.admin.put(`${path}/${role.id}`, { name }), 200)
      for (const [client, me] of [
        [user.client, '/api/auth/me'],
        [admin.client, '/api/admin/auth/me'],
      ] as const) {
        expectStatus(await client.get('/api/content/article'), 200)
        assert.equal((await client.get(me)).body.data.role, name)
      }
      expectStatus(await service.admin.delete(`/api/admin/users/${admin.id}`), 200)
      expectStatus(
        await service.admin.put(`/api/admin/content-users/${user.id}`, { role: 'authenticated' }),
        200,
      )
      expectStatus(await service.admin.delete(`${path}/${role.id}`), 200)
    })
  })
})
