import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { type JobKind, jobKinds } from '../../core-plugins/background/jobs/jobs.ts'
import { searchService } from '../../core-plugins/delivery/search/search.ts'
import { contentService } from '../../core-plugins/entries/content/content.ts'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import type { Principal } from '../../core-plugins/foundation/http/http.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { definePlugin, silentLog } from '../../kernel/index.ts'
import { expectStatus, newApiToken } from '../api/auth-callers.ts'
import type { TestDatabase } from '../support/databases.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { add, finishJobs, found, schemas, search, startSearch } from './search-world.ts'

const everything: Principal = { kind: 'token', id: 0, name: 'test', scopes: new Set(['admin:*']) }

eachDatabase(({ createUrl }) => {
  describe('the index', () => {
    let database: TestDatabase
    before(async () => {
      database = await createUrl()
    })
    after(() => database?.drop())

    async function withService(options: object, use: (service: TestService) => Promise<void>) {
      const service = await startSearch({ database: { url: database.url }, ...options })
      try {
        await finishJobs(service)
        await use(service)
      } finally {
        await service.stop()
      }
    }

    it('goes on where the job that makes it anew was interrupted', async () => {
      let kinds: readonly JobKind[] = []
      const looker = definePlugin({
        name: 'looker',
        description: 'Looks up the kinds of jobs',
        uses: { search: searchService },
        boot({ contributions }) {
          kinds = contributions(jobKinds)
        },
      })
      const own = await createUrl()
      const service = await startSearch({ database: { url: own.url }, plugins: [looker] })
      try {
        await finishJobs(service)
        for (let index = 0; index < 120; index += 1)
          await add(service.admin, 'scrap', { text: `dingo ${index}` })
        const reindex = (id: number, signal: AbortSignal, reportProgress: () => void) =>
          kinds
            .find(({ name }) => name === 'search.reindex')
            ?.run(
              { isForced: true, fingerprint: '' },
              {
                ...{ job: { id, name: 'search.reindex', attempts: 1, maxAttempts: 5, createdAt: '' } },
                ...{ signal, log: silentLog, reportProgress },
              },
            )
        const progress: number[] = []
        const stopped = new AbortController()
        const interrupted = Promise.resolve(
          reindex(1_000, stopped.signal, () => {
            progress.push(1)
            stopped.abort(new Error('stopped'))
          }),
        )
        await assert.rejects(interrupted, /stopped/)
        assert.equal(progress.length, 1)
        const { signal } = new AbortController()
        // The first portion has five entries.
        assert.deepEqual(await reindex(1_000, signal, () => undefined), { entries: 115 })
        assert.deepEqual(await reindex(1_000, signal, () => undefined), { entries: 0 })
        assert.deepEqual(await reindex(1_001, signal, () => undefined), { entries: 120 })
        assert.equal((await search(service.admin, 'dingo')).total, 120)
      } finally {
        await service.stop()
        await own.drop()
      }
    })

    it('is made of what was there before it, and goes on where it was off', async () => {
      const off = { env: { SVC_PLUGINS_DISABLED: 'search' } }
      const ids: number[] = []
      const stories: string[] = []
      await withService(off, async ({ admin }) => {
        for (const text of ['a published wombat', 'a hidden wombat']) {
          const blocks = [{ __component: 'test.list', quotes: [{ text }] }]
          stories.push(`story ${await add(admin, 'story', { title: 'x', blocks })}`)
        }
        const path = `/api/content/${stories[0]?.replace(' ', '/')}/publish`
        expectStatus(await admin.put(path, {}), 200)
        assert.equal((await admin.get('/api/search?q=tapir')).status, 404)
        for (let index = 0; index < 205; index += 1)
          ids.push(await add(admin, 'scrap', { text: `tapir ${index}` }))
      })
      await withService({}, async (service) => {
        const { admin } = service
        assert.deepEqual(await found(admin, 'wombat'), stories)
        const reader = await newApiToken(service, ['content:read'])
        assert.deepEqual(await found(reader.client, 'wombat'), stories.slice(0, 1))
        assert.equal((await search(admin, 'tapir')).total, 205)
        assert.deepEqual(await found(admin, 'tapir 204 '), [`scrap ${ids.at(-1)}`])
      })
      await withService(off, async ({ admin }) => {
        expectStatus(await admin.delete(`/api/content/scrap/${ids[0]}`), 200)
        expectStatus(await admin.put(`/api/content/scrap/${ids[1]}`, { text: 'changed' }), 200)
      })
      await withService({}, async ({ admin }) => {
        assert.equal((await search(admin, 'tapir')).total, 203)
        assert.deepEqual(await found(admin, 'changed'), [`scrap ${ids[1]}`])
      })
    })

    it('is not made anew where all entries were written with it, though no job ran meanwhile', async () => {
      const own = await createUrl()
      const importing = await startSearch({ database: { url: own.url }, env: { SVC_ROLE: 'web' } })
      for (const word of ['numbat', 'potoroo']) await add(importing.admin, 'scrap', { text: `a ${word}` })
      await importing.stop()
      const service = await startSearch({ database: { url: own.url } })
      try {
        await finishJobs(service)
        const { body } = await service.admin.get('/api/admin/jobs')
        const made = body.data.filter(({ name }: { name: string }) => name.endsWith('.reindex'))
        assert.deepEqual(
          made.map(({ name, result }: { name: string; result: unknown }) => [name, result]),
          [['search.reindex', { entries: 0 }]],
        )
        assert.equal((await search(service.admin, 'potoroo')).total, 1)
      } finally {
        await service.stop()
        await own.drop()
      }
    })

    it('is left alone where nothing has changed', async () => {
      await withService({}, async (service) => {
        const { body } = await service.admin.get('/api/admin/jobs?name=search.reindex')
        const entries = body.data.map((job: { result: { entries: number } }) => job.result.entries)
        await finishJobs(service)
        assert.deepEqual(entries[0], 0)
        // Writes that change no text are known to it, too.
        const id = await add(service.admin, 'teller', { name: 'Mole', age: 3 })
        expectStatus(await service.admin.put(`/api/content/teller/${id}`, { age: 4 }), 200)
      })
      await withService({}, async ({ admin }) => {
        const { body } = await admin.get('/api/admin/jobs?name=search.reindex')
        assert.equal(body.data[0].result.entries, 0)
      })
    })

    it('is made anew where a process of an earlier version has written', async () => {
      await withService({}, async (service) => {
        const connection = service.kernel.get(databaseService)
        // As such a process leaves it: without a format, and without the words of fields.
        const age = query(
          connection,
          () => sql`update svc_search_documents set format = null where type = 'teller'`,
        )
        assert.equal((await age.run()).changes, 1)
        await connection.run(connection.prepare(sql`delete from svc_search_vocabulary`), {})
      })
      await withService({}, async ({ admin }) => {
        const { body } = await admin.get('/api/admin/jobs?name=search.reindex')
        assert.equal(body.data[0].result.entries, 1)
        assert.equal((await search(admin, 'mole ', '&fields=name')).total, 1)
        assert.equal((await search(admin, 'molle ', '&typos=true')).total, 1)
      })
    })

    it('is made anew for other schemas', async () => {
      const { text: _text, ...rest } = schemas['scrap.json'].attributes as { text: object }
      const scrap = {
        ...schemas['scrap.json'],
        attributes: { ...rest, note: { type: 'text', renamedFrom: 'text' } },
      }
      const { 'teller.json': _teller, 'story.json': story, ...others } = schemas
      const { teller: _relation, ...attributes } = story.attributes as { teller: object }
      const changed = { ...others, 'story.json': { ...story, attributes }, 'scrap.json': scrap }
      await withService({}, async ({ admin }) => {
        assert.equal((await search(admin, 'mole')).total, 1)
      })
      await withService({ schemas: changed }, async ({ admin }) => {
        assert.deepEqual((await search(admin, 'mole')).hits, [])
        const { hits } = await search(admin, 'changed')
        assert.deepEqual(Object.keys(hits[0]?.highlights ?? {}), ['note'])
      })
    })

    it('has what the last of many writes of a transaction has left', slow, async () => {
      await withService({}, async (service) => {
        const content = service.kernel.get(contentService)
        const ids = await service.kernel.get(databaseService).transaction(async (tx) => {
          const write = { type: 'story', principal: everything, tx }
          const made: number[] = []
          // More than are indexed at once, so that the index has the first ones when they are written again.
          for (let index = 0; index < 120; index += 1)
            made.push((await content.create(write, { title: `quokka w${index}` })).id)
          for (const index of [0, 119])
            await content.update({ ...write, id: made[index] ?? 0 }, { title: 'bilby' })
          for (const index of [1, 2, 118]) await content.publish({ ...write, id: made[index] ?? 0 })
          for (const index of [2, 3, 117]) await content.delete({ ...write, id: made[index] ?? 0 })
          return made
        })
        const idOf = (index: number) => `story ${ids[index]}`
        const expected = ids.filter((_, index) => ![0, 2, 3, 117, 119].includes(index))
        assert.deepEqual(await found(service.admin, 'bilby'), [idOf(0), idOf(119)].sort())
        assert.equal((await search(service.admin, 'quokka')).total, expected.length)
        const reader = await newApiToken(service, ['content:read'])
        assert.deepEqual(await found(reader.client, 'quokka'), [idOf(1), idOf(118)].sort())
      })
      // Nothing is left for the start to mend.
      await withService({}, async ({ admin }) => {
        const { body } = await admin.get('/api/admin/jobs?name=search.reindex')
        assert.equal(body.data[0].result.entries, 0)
      })
    })

    it('is rolled back with the transaction', async () => {
      await withService({}, async (service) => {
        const content = service.kernel.get(contentService)
        const writing = service.kernel.get(databaseService).transaction(async (tx) => {
          const write = { type: 'story', principal: everything, tx }
          for (let index = 0; index < 60; index += 1) await content.create(write, { title: 'bandicoot' })
          throw new Error('no')
        })
        await assert.rejects(writing, /^Error: no$/)
        assert.deepEqual(await found(service.admin, 'bandicoot'), [])
      })
    })

    it('is made anew where somebody asks for it', async () => {
      await withService({}, async (service) => {
        const connection = service.kernel.get(databaseService)
        const { table } = service.kernel.get(schemasService).types.get('scrap') ?? { table: '' }
        const write = query(
          connection,
          () => sql`update ${sql.identifier(table)} set text = 'restored from elsewhere' where id = 5`,
        )
        assert.equal((await write.run()).changes, 1)
        assert.deepEqual(await found(service.admin, 'restored'), [])
        await connection.transaction((tx) => service.kernel.get(searchService).requestRebuild(tx))
        await finishJobs(service)
        assert.deepEqual(await found(service.admin, 'restored'), ['scrap 5'])
      })
    })
  })
})
