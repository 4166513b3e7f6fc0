import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { searchService } from '../../core-plugins/delivery/search/search.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type CacheWorld, comparable, fromMemory, startCacheWorld } from './world.ts'

const searches = [
  '/api/search?q=oak&types=author',
  '/api/content/author?search=oak',
  '/api/content/author?search=beach%20&typos=true',
  '/api/content/author/distinct?field=name&search=beach%20&typos=true',
]

eachDatabase(({ name }) => {
  let world: CacheWorld

  /** What every process says is what the one without memory says. */
  async function sameEverywhere(): Promise<void> {
    for (const path of searches) {
      const wanted = comparable(await world.plain.get(path))
      for (const service of world.cached) assert.equal(comparable(await service.get(path)), wanted, path)
    }
  }
  async function keepAll(): Promise<void> {
    for (const path of searches) for (const service of world.cached) await fromMemory(service, path)
  }

  const indexed = () =>
    until(async () => {
      const { byName } = await world.plain.kernel.get(jobsService).stats()
      const { waiting = 0, active = 0 } = byName['search.reindex'] ?? {}
      return waiting + active === 0
    }, 'the index is complete')

  before(async () => {
    world = await startCacheWorld(name, { SVC_CACHE_MAX_STALENESS_MS: '0' })
    for (const text of ['oak', 'an old oak', 'a beech'])
      expectStatus(await world.plain.admin.post('/api/content/author', { name: text }), 201)
  })
  after(() => world.stop())

  it('an answer is right again after the index was rebuilt without a write of content', slow, async () => {
    const { kernel } = world.plain
    const database = kernel.get(databaseService)
    await indexed()
    await keepAll()
    // As code does that writes entries without the content service.
    await database.run(database.prepare(sql`update content_author set name = 'another oak' where id = 3`), {})
    await database.transaction((tx) => kernel.get(searchService).requestRebuild(tx))
    const found = async () => (await world.plain.get('/api/content/author?search=oak')).body.data.length
    await until(async () => (await found()) === 3, 'what was written is found')
    await indexed()
    await sameEverywhere()
  })

  it('words that were meant follow what is written', async () => {
    await keepAll()
    const created = await world.plain.admin.post('/api/content/author', { name: 'beaches' })
    expectStatus(created, 201)
    await sameEverywhere()
    await keepAll()
    const path = `/api/content/author/${created.body.data.id}`
    expectStatus(await world.plain.admin.put(path, { name: 'a beacher' }), 200)
    await sameEverywhere()
    await keepAll()
    expectStatus(await world.plain.admin.delete(path), 200)
    await sameEverywhere()
  })

  it('a score follows how rare a word is in all of the index', async () => {
    await keepAll()
    for (let count = 0; count < 5; count++)
      expectStatus(await world.plain.admin.post('/api/content/comment', { text: `oak ${count}` }), 201)
    await sameEverywhere()
  })
})
