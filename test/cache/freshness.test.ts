import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { changeLogService, ringSize } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type CacheWorld, comparable, fromMemory, startCacheWorld, statusOf } from './world.ts'

const authors = '/api/content/author'

async function same(world: CacheWorld, client: Client, path: string, headers: Record<string, string> = {}) {
  const told = comparable(await client.get(path, { headers }))
  assert.equal(told, comparable(await world.plain.get(path)), path)
}

async function headOf({ kernel }: TestService): Promise<string> {
  const log = kernel.get(changeLogService)
  return log.cursorOf(await log.head())
}

eachDatabase(({ name }) => {
  // What is tested here is the memory, which is the same on all databases.
  if (name !== 'sqlite') return

  describe('where answers may be a minute old', () => {
    let world: CacheWorld
    let writer: Client
    let id: number

    const create = async (type: string, data: object): Promise<number> =>
      expectStatus(await writer.post(`/api/content/${type}`, data), 201).body.data.id
    const rename = async (text: string) =>
      expectStatus(await writer.put(`${authors}/${id}`, { name: text }), 200)

    before(async () => {
      world = await startCacheWorld(name, {
        SVC_CACHE_MAX_STALENESS_MS: '60000',
        // Nothing tells the other process.
        SVC_PLUGINS_DISABLED: 'signals',
      })
      writer = world.cached[0].admin
      id = await create('author', { name: 'first' })
    })
    after(() => world.stop())

    it('a process knows at once what it has written itself', async () => {
      const [first] = world.cached
      for (const text of ['a', 'b', 'c']) {
        await fromMemory(first, authors)
        await rename(text)
        await same(world, first, authors)
      }
    })

    it('another process answers from memory, but not who asks for what is newer', async () => {
      const [first, second] = world.cached
      const old = await fromMemory(second, authors)
      await rename('newer')
      assert.deepEqual((await second.get(authors)).body, old.body)
      await same(world, second, authors, { 'mortise-at-least': await headOf(first) })
      // From now on everybody gets it.
      await same(world, second, authors)
    })

    it('a position of another log is no reason to answer what is old', async () => {
      const [, second] = world.cached
      await fromMemory(second, authors)
      await rename('with another log')
      await same(world, second, authors, { 'mortise-at-least': 'another.1' })
    })

    it('whoever writes is answered with what all have written', async () => {
      const [, second] = world.cached
      for (const caller of ['writer', 'editor', 'drafts']) {
        const client = world.callers(second.url).get(caller) as Client
        await fromMemory(second, authors)
        await fromMemory(client, authors)
        await rename(`for ${caller}`)
        const [row] = expectStatus(await client.get(authors), 200).body.data
        assert.equal(row.name, `for ${caller}`)
      }
    })

    it('what is changed so much that it is forgotten what makes an answer wrong', async () => {
      const [first] = world.cached
      const kept = `${authors}?fields=bio`
      const log = first.kernel.get(changeLogService)
      await fromMemory(first, authors)
      await fromMemory(first, kept)
      await rename('before a flood')
      await first.kernel.get(databaseService).transaction(async (tx) => {
        for (let count = 0; count < ringSize; count++) log.note({ kind: 'update', type: 'tag' }, tx)
      })
      await same(world, first, authors)
      // Nothing has changed of what it shows, but who could tell.
      assert.notEqual(statusOf(await first.get(kept)), 'hit')
    })

    it('a publication that another process has scheduled is seen when its time has come', async () => {
      const [first, second] = world.cached
      const article = await create('article', { title: 'later', body: '' })
      await create('comment', { text: 'about it', article })
      const path = '/api/content/comment?fields=article'
      const old = await fromMemory(second, path)
      const publishedAt = new Date(Date.now() + 200).toISOString()
      expectStatus(await writer.put(`/api/content/article/${article}/publish`, { publishedAt }), 200)
      const cursor = await headOf(first)
      await until(async () => comparable(await world.plain.get(path)) !== comparable(old), 'it is public')
      await same(world, second, path, { 'mortise-at-least': cursor })
    })
  })

  describe('where no job says that the time of a publication has come', slow, () => {
    let world: CacheWorld

    /** As if nobody had the time to run it. */
    async function postponeJobs(): Promise<void> {
      const database = world.cached[0].kernel.get(databaseService)
      const later = new Date(Date.now() + 3_600_000).toISOString()
      const statement = sql`update svc_jobs set run_at = ${database.dialect.placeholder('later', 'datetime')}
        where name = 'changes.notePublication'`
      await database.run(database.prepare(statement), { later })
    }

    before(async () => {
      world = await startCacheWorld(name, { SVC_CACHE_MAX_STALENESS_MS: '0' })
    })
    after(() => world.stop())

    it('it is seen all the same, in lists, inside of others, and by GraphQL', async () => {
      const { admin } = world.plain
      const create = async (type: string, data: object): Promise<number> =>
        expectStatus(await admin.post(`/api/content/${type}`, data), 201).body.data.id
      const article = await create('article', { title: 'later', body: '' })
      await create('comment', { text: 'about it', article })
      const paths = [
        '/api/content/article?fields=title',
        '/api/content/article/aggregate?function=count',
        '/api/content/comment?fields=article',
        '/api/content/comment?populate=article',
        '/api/search?q=later',
        `/api/graphql?query={article(id:${article}){data{title}}}`,
        '/api/graphql?query={comments{data{article{title}}}}',
      ]
      const log = world.cached[0].kernel.get(changeLogService)
      const old = new Map<string, string>()
      for (const path of paths) {
        await fromMemory(world.cached[0], path)
        old.set(path, comparable(await world.plain.get(path)))
      }
      const before = await log.head()
      const atMs = Date.now() + 1_500
      const publishedAt = new Date(atMs).toISOString()
      expectStatus(await admin.put(`/api/content/article/${article}/publish`, { publishedAt }), 200)
      await postponeJobs()
      // Both know of the publication, one from before it was planned.
      for (const path of paths) for (const service of world.cached) await service.get(path)
      await until(() => Date.now() > atMs, 'the time has come')
      for (const path of paths) {
        for (const service of world.cached) await same(world, service, path)
        assert.notEqual(comparable(await world.plain.get(path)), old.get(path), path)
      }
      const kinds = (await log.after(before, 100))?.changes.map(({ kind }) => kind)
      assert.ok(kinds !== undefined && !kinds.includes('flip'), `${kinds}`)
    })
  })

  describe('where answers may be a little old', () => {
    const boundMs = 400
    let world: CacheWorld

    before(async () => {
      world = await startCacheWorld(name, { SVC_CACHE_MAX_STALENESS_MS: String(boundMs) })
      expectStatus(await world.cached[0].admin.post(authors, { name: 'first' }), 201)
    })
    after(() => world.stop())

    it('no answer is older than that', async () => {
      const [first, second] = world.cached
      for (const text of ['a', 'b', 'c', 'd', 'e']) {
        await fromMemory(second, authors)
        expectStatus(await first.admin.put(`${authors}/1`, { name: text }), 200)
        const acknowledgedAtMs = performance.now()
        await until(async () => {
          const askedAtMs = performance.now()
          const isNew = (await second.get(authors)).body.data[0].name === text
          const ageMs = askedAtMs - acknowledgedAtMs
          assert.ok(isNew || ageMs <= boundMs, `old after ${ageMs} ms`)
          return isNew
        }, 'the other process answers what was written')
      }
    })

    it('nor from a process that was frozen', slow, async () => {
      const [first] = world.cached
      const env = { SVC_CACHE_MAX_STALENESS_MS: String(boundMs) }
      const frozen = startProcess({ project: world.project, env: { ...world.env, ...env } })
      const client = createClient(await frozen.ready())
      await fromMemory(client, authors)
      frozen.process.kill('SIGSTOP')
      try {
        expectStatus(await first.admin.put(`${authors}/1`, { name: 'while it was frozen' }), 200)
        const early = client.get(authors)
        await setTimeout(2 * boundMs)
        frozen.process.kill('SIGCONT')
        for (const answer of [await early, await client.get(authors)]) {
          assert.equal(answer.body.data[0].name, 'while it was frozen')
        }
      } finally {
        frozen.process.kill('SIGCONT')
        await frozen.end('SIGTERM')
      }
    })
  })
})
