import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { createSubjects, dependencesOf } from './dependences.ts'
import { type CacheWorld, comparable, startCacheWorld, statusOf } from './world.ts'

eachDatabase(({ name }) => {
  let world: CacheWorld

  before(async () => {
    world = await startCacheWorld(name, { SVC_CACHE_MAX_STALENESS_MS: '0' })
  })
  after(() => world.stop())

  /** Answers of the service that keeps them, and of the one that does not. */
  function readers(caller: string, path: string) {
    const [service] = world.cached
    const [cached, plain] = [service, world.plain].map(({ url }) => world.callers(url).get(caller))
    assert.ok(cached !== undefined && plain !== undefined)
    return { cached: () => cached.get(path), plain: () => plain.get(path) }
  }

  it('an answer in memory depends on all of these', slow, async () => {
    const [service] = world.cached
    const subjects = await createSubjects(service.admin)
    for (const [what, { caller, read, write }] of Object.entries(dependencesOf(subjects))) {
      const { cached, plain } = readers(caller, read)
      let tries = 0
      while (statusOf(await cached()) !== 'hit') assert.ok(++tries < 20, `${what}: ${read} is not kept`)
      const before = comparable(await plain())
      assert.equal(comparable(await cached()), before, what)
      await write(service.admin)
      await until(async () => comparable(await plain()) !== before, `${what} changes something`)
      assert.equal(comparable(await cached()), comparable(await plain()), `${what}: ${read}`)
    }
  })
})
