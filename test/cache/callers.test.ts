import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { httpService } from '../../core-plugins/foundation/http/http.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type CacheWorld, comparable, fromMemory, startCacheWorld } from './world.ts'

/** What is asked of each route that is kept, by its name. */
const reads: Readonly<Record<string, readonly string[]>> = {
  'content:entries.list': [
    '/api/content/author',
    '/api/content/article',
    '/api/content/comment?populate=article',
  ],
  'content:entries.read': [
    '/api/content/author/1',
    '/api/content/article/1?populate=author',
    '/api/content/article/2',
  ],
  'content:entries.aggregate': ['/api/content/article/aggregate?function=count'],
  'content:entries.distinct': [
    '/api/content/article/distinct?field=title',
    '/api/content/article/distinct?field=author.name',
  ],
  'content:search.find': ['/api/search?q=oak'],
  'graphql:playground.read': ['/api/graphql?query={articles{data{title}}authors{data{name}}}'],
  'graphql:operations.execute': [],
}

let world: CacheWorld
let service: TestService
let tokens: ReadonlyMap<string, string | undefined>

/** Every kept read of each caller, compared with what is answered without memory. */
async function compareAll(names: readonly string[]): Promise<void> {
  for (const path of Object.values(reads).flat()) {
    for (const name of names) {
      const [kept, plain] = [service.url, world.plain.url].map((url) => createClient(url, tokens.get(name)))
      const told = comparable(await (kept as Client).get(path))
      assert.equal(told, comparable(await (plain as Client).get(path)), `${path} for ${name}`)
    }
  }
}

describe('callers of the cache', () => {
  before(async () => {
    world = await startCacheWorld('sqlite', { SVC_CACHE_MAX_STALENESS_MS: '0' })
    service = world.cached[0]
    const { admin } = service
    const author = expectStatus(await admin.post('/api/content/author', { name: 'oak' }), 201).body.data.id
    for (const title of ['oak', 'oak draft']) {
      expectStatus(await admin.post('/api/content/article', { title, body: 'oak', author }), 201)
    }
    expectStatus(await admin.put('/api/content/article/1/publish'), 200)
    expectStatus(await admin.post('/api/content/comment', { text: 'oak', article: 2 }), 201)
    const editor = await newAdmin(service, 'editor')
    tokens = new Map([
      ['nobody', undefined],
      ['a wrong token', 'not-a-token'],
      ['user', (await newUser(service)).token],
      ['super-admin', (await newAdmin(service, 'super-admin')).token],
      ['editor', editor.token],
      ['reads all', (await newApiToken(service, ['content:read'])).token],
      ['reads authors', (await newApiToken(service, ['content:read:author'])).token],
      ['reads drafts', (await newApiToken(service, ['content:read', 'content:drafts'])).token],
      ['writes', (await newApiToken(service, ['content:write'])).token],
      ['reads media', (await newApiToken(service, ['media:read'])).token],
      ['all', (await newApiToken(service, ['admin:*'])).token],
    ])
  })
  after(() => world.stop())

  it('every route that is kept is asked here', () => {
    const kept = service.kernel.get(httpService).routes.filter(({ keptBy }) => keptBy !== undefined)
    assert.deepEqual(kept.map(({ name }) => name).sort(), Object.keys(reads).sort())
  })

  it('nobody is answered with what another caller may see, whoever has asked before', slow, async () => {
    const names = [...tokens.keys()]
    for (const order of [names, names.toReversed(), names, names.toReversed()]) await compareAll(order)
  })

  it('HEAD is answered as without memory', async () => {
    for (const path of ['/api/content/author', '/api/content/article/1']) {
      await fromMemory(service, path)
      const [kept, plain] = await Promise.all(
        [service, world.plain].map((each) => each.request('HEAD', path)),
      )
      assert.ok(kept !== undefined && plain !== undefined)
      for (const name of ['etag', 'content-length', 'content-type']) {
        assert.equal(kept.headers.get(name), plain.headers.get(name), name)
      }
      // It may not be what the next GET gets.
      assert.equal(comparable(await service.get(path)), comparable(await world.plain.get(path)))
    }
  })

  it('who may no longer see what is shown inside of others, or may again, is not answered with what was', async () => {
    const { admin } = service
    const roles = expectStatus(await admin.get('/api/admin/roles'), 200).body.data
    const { id, permissions } = roles.find(({ name }: { name: string }) => name === 'public')
    const paths = [
      '/api/content/article/1?populate=author',
      '/api/content/comment?populate=article',
      '/api/content/article?filters[author][name]=oak',
      '/api/search?q=oak',
    ]
    for (const may of [false, true]) {
      for (const path of paths) for (let times = 0; times < 4; times++) await service.get(path)
      const content = { ...permissions.content, author: { read: may }, comment: { read: true } }
      const changed = { permissions: { ...permissions, content } }
      expectStatus(await admin.put(`/api/admin/roles/${id}`, changed), 200)
      const own = await Promise.all(paths.map((path) => service.get(path)))
      // The other process hears of it within a second.
      const expected = may ? 200 : 401
      await until(async () => (await world.plain.get('/api/content/author')).status === expected, 'it knows')
      for (const [index, path] of paths.entries()) {
        assert.equal(comparable(own[index] as Answer), comparable(await world.plain.get(path)), path)
      }
      if (may) for (const path of paths) await fromMemory(service, path)
    }
  })

  it('who loses a right, a token or the account loses what is in memory', slow, async () => {
    const path = '/api/content/author'
    const { admin } = service
    const revoked = await newApiToken(service, ['content:read'])
    const blocked = await newUser(service)
    const left = await newUser(service)
    for (const { client } of [revoked, blocked, left]) await fromMemory(client, path)
    expectStatus(await admin.delete(`/api/admin/api-tokens/${revoked.id}`), 200)
    expectStatus(await admin.put(`/api/admin/content-users/${blocked.id}`, { blocked: true }), 200)
    expectStatus(await left.client.post('/api/auth/logout'), 200)
    for (const { client } of [revoked, blocked, left]) assert.ok((await client.get(path)).status >= 400)

    await fromMemory(service, path)
    const roles = expectStatus(await admin.get('/api/admin/roles'), 200).body.data
    const { id } = roles.find(({ name }: { name: string }) => name === 'public')
    expectStatus(await admin.put(`/api/admin/roles/${id}`, { permissions: { content: {}, media: {} } }), 200)
    assert.equal((await service.get(path)).status, 401)
    // The other process hears of it within a second.
    await until(async () => (await world.plain.get(path)).status === 401, 'nobody may read')
    await compareAll([...tokens.keys()])
  })
})
