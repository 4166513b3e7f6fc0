import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, newAdmin, newApiToken, problemsOf } from './auth-callers.ts'

const path = '/api/admin/api-tokens'

describe('API tokens', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const create = (body: object, client = service.admin) => client.post(path, { name: 'test', ...body })
  const listed = async (id: number) => {
    const { data } = expectStatus(await service.admin.get(path), 200).body
    return data.find((token: { id: number }) => token.id === id)
  }

  it('are shown whole once, and stored as a hash', async () => {
    const scopes = ['content:read', 'media:read']
    const answer = expectStatus(await create({ description: 'For the site', scopes }), 201)
    const { token, ...rest } = answer.body.data
    assert.match(token, /^mor_[0-9A-Za-z]{43}$/)
    assert.deepEqual(
      [rest.name, rest.description, rest.scopes, rest.former_values],
      ['test', 'For the site', scopes, []],
    )
    assert.deepEqual(await listed(rest.id), rest)
  })

  it('differ in every character', async () => {
    const values = []
    for (let count = 0; count < 20; count++) values.push((await newApiToken(service, ['content:read'])).token)
    assert.equal(new Set(values).size, 20)
    for (let index = 4; index < 47; index++) {
      assert.ok(new Set(values.map((value) => value[index])).size > 5, `character ${index}`)
    }
  })

  it('let through what their scopes say', async () => {
    const { client } = await newApiToken(service, ['content:read'])
    expectStatus(await client.get('/api/content/article'), 200)
    expectStatus(await client.post('/api/content/article', { title: 'x' }), 403)
    expectStatus(await client.get(path), 403)
    const full = await newApiToken(service, ['admin:*'])
    expectStatus(await full.client.get(path), 200)
    expectStatus(await full.client.get('/api/content/article'), 200)
    expectStatus(await full.client.get('/api/admin/auth/me'), 403)
    expectStatus(await full.client.get('/api/auth/me'), 403)
  })

  it('are limited to types by their scopes', slow, async () => {
    const { client, id } = await newApiToken(service, ['content:read:article', 'content:write:category'])
    expectStatus(await client.get('/api/content/article'), 200)
    expectStatus(await client.get('/api/content/category'), 403)
    expectStatus(await client.post('/api/content/article', { title: 'x' }), 403)
    const draft = { name: `t${id}`, slug: `t${id}` }
    assert.ok([200, 201].includes((await client.post('/api/content/category', draft)).status))
    // Where no type is in the address, each is checked by itself; what checks none is closed.
    const types = expectStatus(await client.get('/api/admin/content-types'), 200).body.data
    assert.deepEqual(
      types.flatMap((each: { name: string; system: boolean }) => (each.system ? [] : each.name)),
      ['article'],
    )
    const found = await client.post('/api/graphql', {
      query: '{ articles { data { id } } categories { data { id } } }',
    })
    assert.ok(
      JSON.stringify(found.body.errors ?? found.body).includes('categories'),
      JSON.stringify(found.body),
    )
    expectStatus(await client.get('/api/_docs/openapi.json'), 403)
    expectStatus(await client.get('/api/media'), 403)

    const wrong = await create({
      scopes: ['content:read:nothing', 'media:read:article', 'content:read:article:x'],
    })
    assert.deepEqual(problemsOf(expectStatus(wrong, 400)), {
      'scopes.0': 'unknown',
      'scopes.1': 'unknown',
      'scopes.2': 'unknown',
    })
    const maker = await newApiToken(service, ['admin:tokens:write', 'content:read:article'])
    expectStatus(await create({ scopes: ['content:read:article'] }, maker.client), 201)
    for (const scope of ['content:read', 'content:read:category', 'content:drafts:article']) {
      expectStatus(await create({ scopes: [scope] }, maker.client), 403)
    }
  })

  it('see drafts with a scope for it, and may not write then', async () => {
    const article = { title: 'A draft', slug: 'a-draft-for-tokens' }
    const { id } = expectStatus(await service.admin.post('/api/content/article', article), 201).body.data
    const statusWith = async (...scopes: string[]) =>
      (await (await newApiToken(service, scopes)).client.get(`/api/content/article/${id}`)).status
    assert.equal(await statusWith('content:read'), 404)
    assert.equal(await statusWith('content:read', 'content:drafts:category'), 404)
    assert.equal(await statusWith('content:read:article', 'content:drafts:article'), 200)
    const { client } = await newApiToken(service, ['content:read', 'content:drafts'])
    expectStatus(await client.put(`/api/content/article/${id}`, { title: 'x' }), 403)
  })

  it('are revoked at once', async () => {
    const { id, client } = await newApiToken(service, ['content:read'])
    expectStatus(await client.get('/api/content/article'), 200)
    assert.deepEqual(expectStatus(await service.admin.delete(`${path}/${id}`), 200).body.data, { id })
    expectStatus(await client.get('/api/content/article'), 401)
    expectStatus(await service.admin.delete(`${path}/${id}`), 404)
    expectStatus(await service.admin.post(`${path}/${id}/regenerate`), 404)
  })

  it('are rotated at once, with everything else kept', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const old = await newApiToken(service, ['content:read'], { expiresAt })
    expectStatus(await old.client.get('/api/content/article'), 200)
    const { token, ...rest } = expectStatus(await service.admin.post(`${path}/${old.id}/regenerate`), 200)
      .body.data
    assert.notEqual(token, old.token)
    assert.deepEqual([rest.id, rest.scopes, rest.expiresAt], [old.id, ['content:read'], expiresAt])
    expectStatus(await old.client.get('/api/content/article'), 401)
    expectStatus(await createClient(service.url, token).get('/api/content/article'), 200)
  })

  it('expire', async () => {
    const expiresAtMs = Date.now() + 700
    const { client } = await newApiToken(service, ['content:read'], {
      expiresAt: new Date(expiresAtMs).toISOString(),
    })
    expectStatus(await client.get('/api/content/article'), 200)
    await until(async () => (await client.get('/api/content/article')).status === 401)
    assert.ok(Date.now() >= expiresAtMs)
  })

  it('remember roughly when they were last used', async () => {
    const { id, client } = await newApiToken(service, ['content:read'])
    assert.equal((await listed(id)).last_used_at, null)
    const startedAt = new Date().toISOString()
    expectStatus(await client.get('/api/content/article'), 200)
    await until(async () => (await listed(id)).last_used_at !== null)
    const { last_used_at } = await listed(id)
    assert.ok(last_used_at >= startedAt)
    for (let count = 0; count < 3; count++) expectStatus(await client.get('/api/content/article'), 200)
    assert.equal((await listed(id)).last_used_at, last_used_at)
  })

  it('are refused when they are unknown or no tokens at all', async () => {
    const { token } = await newApiToken(service, ['content:read'])
    const other = token.endsWith('A') ? 'B' : 'A'
    for (const value of [
      token.slice(0, -1) + other,
      token.slice(0, -1),
      `${token}A`,
      'mor_',
      `mor_${"'".repeat(43)}`,
    ]) {
      expectStatus(await createClient(service.url, value).get('/api/content/article'), 401)
    }
  })

  it('refuse what does not fit', async () => {
    expectStatus(await create({}), 400)
    expectStatus(await create({ scopes: [] }), 400)
    expectStatus(await create({ scopes: ['content:read', 'content:read'] }), 400)
    const answer = await create({
      scopes: ['content:read', 'content:all'],
      expiresAt: '2020-01-01T00:00:00Z',
    })
    assert.deepEqual(problemsOf(expectStatus(answer, 400)), { 'scopes.1': 'unknown', expiresAt: 'past' })
    assert.deepEqual(problemsOf(await create({ scopes: ['admin:*'], expiresAt: 'soon' })), {
      expiresAt: 'anyOf',
    })
  })

  it('have the scopes that are listed', async () => {
    const { data } = expectStatus(await service.admin.get(`${path}/scopes`), 200).body
    for (const scope of [
      'content:read',
      'media:delete',
      'webhooks:write',
      'admin:backups:write',
      'admin:*',
    ]) {
      assert.ok(data.includes(scope), scope)
    }
    expectStatus(await create({ scopes: data }), 201)
  })

  it('cannot make tokens with more than they have', async () => {
    const { client } = await newApiToken(service, ['admin:tokens:write', 'content:read'])
    expectStatus(await create({ scopes: ['content:read'] }, client), 201)
    expectStatus(await create({ scopes: ['admin:tokens:write'] }, client), 201)
    for (const scope of ['content:write', 'admin:tokens:read', 'admin:*']) {
      expectStatus(await create({ scopes: [scope] }, client), 403)
    }
    const full = await newApiToken(service, ['admin:*'])
    expectStatus(await client.post(`${path}/${full.id}/regenerate`), 403)
    expectStatus(await full.client.get(path), 200)
    expectStatus(await create({ scopes: ['admin:*'] }, full.client), 201)
  })

  it('are made by administrators, not by editors', async () => {
    const editor = await newAdmin(service, 'editor')
    expectStatus(await create({ scopes: ['content:read'] }, editor.client), 403)
    const admin = await newAdmin(service, 'admin')
    expectStatus(await create({ scopes: ['admin:*'] }, admin.client), 201)
  })
})
