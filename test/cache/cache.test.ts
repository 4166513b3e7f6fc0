import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { type CacheWorld, startCacheWorld, statusOf } from './world.ts'

eachDatabase(({ name }) => {
  let world: CacheWorld

  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const create = async (type: string, data: object): Promise<number> => {
    const { id } = expectStatus(await world.plain.admin.post(path(type), data), 201).body.data
    if (type === 'article' || type === 'tag')
      expectStatus(await world.plain.admin.put(path(type, `/${id}/publish`)), 200)
    return id
  }
  /** Asks until the answer comes from memory: the first of a key is not kept. */
  async function warm(url: string) {
    const [service] = world.cached
    // A position that is not known makes it look at the log: nothing that was written before is news to it afterwards.
    await service.get(url, { headers: { 'mortise-at-least': 'unknown' } })
    await until(async () => statusOf(await service.get(url)) === 'hit', url)
    return service.get(url)
  }

  before(async () => {
    world = await startCacheWorld(name, { SVC_CACHE_AUDIT_EVERY: '1' })
  })
  after(() => world.stop())

  it('answers from memory what repeats, with its tag, compressed, and to HEAD', async () => {
    const [service] = world.cached
    for (let number = 0; number < 30; number++) {
      await create('author', { name: `Author ${number}`, bio: 'x'.repeat(200) })
    }
    const url = path('author', '?limit=30')
    const kept = await warm(url)
    const tag = kept.headers.get('etag') ?? ''
    const known = await service.get(url, { headers: { 'if-none-match': tag } })
    assert.deepEqual([known.status, statusOf(known), known.headers.get('etag')], [304, 'hit', tag])
    assert.equal(known.headers.get('mortise-position'), null, 'how much is written is not for everybody')
    const position = (await service.admin.get(url)).headers.get('mortise-position') ?? ''
    assert.notEqual(service.kernel.get(changeLogService).positionIn(position), undefined)
    const head = await service.request('HEAD', url)
    assert.deepEqual([head.status, statusOf(head), head.body], [200, 'hit', ''])
    for (const encoding of ['br', 'gzip']) {
      const compressed = async () => service.get(url, { headers: { 'accept-encoding': encoding } })
      await until(async () => (await compressed()).headers.get('content-encoding') === encoding, encoding)
      assert.deepEqual((await compressed()).body, kept.body)
    }
    assert.notEqual(kept.headers.get('x-request-id'), known.headers.get('x-request-id'))
  })

  it('keeps what is asked in a body by GraphQL, but no writes', async () => {
    const [service] = world.cached
    const id = await create('author', { name: 'Before' })
    const ask = (query: string) => service.admin.post('/api/graphql', { query })
    const query = `{ author(id: ${id}) { data { name } } }`
    await until(async () => statusOf(await ask(query)) === 'hit', 'hit')
    for (const name of ['Once', 'Twice', 'Once']) {
      const written = await ask(
        `mutation { updateAuthor(id: ${id}, data: { name: "${name}" }) { data { name } } }`,
      )
      assert.deepEqual([statusOf(written), written.body.data.updateAuthor.data.name], ['fwd=miss', name])
      assert.equal((await ask(query)).body.data.author.data.name, name)
    }
  })

  it('keeps what features answer whose routes are kept, and nothing of others', async () => {
    const [service] = world.cached
    const id = await create('author', { name: 'Counted' })
    const rename = (name: string) => service.admin.put(path('author', `/${id}`), { name })
    const ask = (query: string) => service.admin.post('/api/graphql', { query })
    const named = 'filters: { name: { startsWith: "Counted" } }'
    for (const query of [
      `{ authorsAggregate(${named}) { data { count } } }`,
      `{ authorsDistinct(${named}) { name { values { value } } } }`,
      '{ search(q: "Counted") { data { id entry { ... on Author { name } } } } }',
    ]) {
      await until(async () => statusOf(await ask(query)) === 'hit', query)
      const { body: before } = await ask(query)
      expectStatus(await rename('Uncounted'), 200)
      await until(async () => JSON.stringify((await ask(query)).body) !== JSON.stringify(before), query)
      expectStatus(await rename('Counted'), 200)
      await until(async () => JSON.stringify((await ask(query)).body) === JSON.stringify(before), query)
    }
    for (const _ of [1, 2, 3]) assert.notEqual(statusOf(await ask('{ media { data { id } } }')), 'hit')
  })

  it('tells what an answer depends on, and what made it wrong', async () => {
    const id = await create('article', { title: 'Explained', rank: 1 })
    const url = path('article', '?filters[rank]=1&fields=title')
    await warm(url)
    const [service] = world.cached
    const explain = async () =>
      expectStatus(await service.admin.get(`/api/admin/cache/explain?url=${encodeURIComponent(url)}`), 200)
        .body.data
    const { kept, types } = await explain()
    assert.equal(kept, true)
    const article = types.find(({ type }: { type: string }) => type === 'article')
    assert.deepEqual([article.entries, article.selections, article.any], [1, 1, false])
    expectStatus(await service.admin.put(path('article', `/${id}`), { rank: 2 }), 200)
    expectStatus(await service.admin.put(path('article', `/${id}/publish`)), 200)
    await service.get(url)
    assert.deepEqual((await explain()).outdatedBy, { type: 'article', id, kind: 'update' })
    expectStatus(await service.get('/api/admin/cache/explain?url=/'), 401)
    expectStatus(await service.admin.get('/api/admin/cache/explain?url=nothing'), 400)
  })

  it('finds out that somebody has written past the log, says so and forgets', async () => {
    const id = await create('author', { name: 'Real' })
    const url = path('author', `/${id}`)
    await warm(url)
    const [service] = world.cached
    const database = service.kernel.get(databaseService)
    await database.run(
      database.prepare(sql`update content_author set name = 'Forged' where id = ${sql.raw(String(id))}`),
    )
    await until(async () => {
      await service.get(url)
      const { data } = (await service.admin.get('/api/admin/operational-alerts')).body
      return data.some(({ kind }: { kind: string }) => kind === 'cache_wrong')
    }, 'the alert')
    await until(async () => (await service.get(url)).body.data.name === 'Forged', 'forgotten')
  })
})
