import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type CacheWorld, fromMemory, startCacheWorld, statusOf } from './world.ts'

const authors = '/api/content/author?fields=name'
let world: CacheWorld

/** Changed while everything runs, in all processes. */
async function set(settings: Record<string, unknown>): Promise<void> {
  expectStatus(await world.cached[1].admin.put('/api/admin/config', settings), 200)
}

const setStaleness = (ms: number) => set({ 'cache.maxStalenessMs': ms })

describe('settings of the cache', () => {
  before(async () => {
    // Nothing tells the other process of writes.
    world = await startCacheWorld('sqlite', { SVC_PLUGINS_DISABLED: 'signals' })
    expectStatus(await world.plain.admin.post('/api/content/author', { name: 'first' }), 201)
  })
  after(() => world.stop())

  it('answers are forgotten that were made with other settings', slow, async () => {
    for (const limit of [7, 8]) {
      for (const service of world.cached) await fromMemory(service, authors)
      await set({ 'api.pagination.defaultLimit': limit })
      const [other, own] = world.cached
      assert.equal((await own.get(authors)).body.pagination.limit, limit)
      await until(
        async () => (await other.get(authors)).body.pagination.limit === limit,
        'the other process knows',
      )
    }
  })

  it('from when answers may not be stale, they are not', async () => {
    const [first, second] = world.cached
    const rename = async (name: string) =>
      expectStatus(await first.admin.put('/api/content/author/1', { name }), 200)
    const nameIn = async () => (await second.get(authors)).body.data[0].name
    const isNowKept = async (name: string) => {
      await until(async () => (await nameIn()) === name, 'it is no longer stale')
      await fromMemory(second, authors)
    }
    await setStaleness(60_000)
    await isNowKept('first')
    await rename('not seen')
    assert.notEqual(await nameIn(), 'not seen')
    await setStaleness(0)
    assert.equal(await nameIn(), 'not seen')
    for (const name of ['a', 'b', 'c']) {
      await fromMemory(second, authors)
      await rename(name)
      assert.equal(await nameIn(), name)
    }
    await setStaleness(60_000)
    await fromMemory(second, authors)
    await rename('again not seen')
    assert.equal(await nameIn(), 'c')
  })

  it('the headers go with the setting', async () => {
    const [, second] = world.cached
    await fromMemory(second, authors)
    await set({ 'cache.statusHeader': false })
    const silent = await second.get(authors)
    assert.deepEqual([statusOf(silent), silent.headers.get('mortise-position')], ['none', null])
    await set({ 'cache.statusHeader': true })
    await fromMemory(second, authors)
  })
})
