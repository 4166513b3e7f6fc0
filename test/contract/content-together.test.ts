import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type BulkWrites,
  bulkWritesService,
  type Content,
  contentService,
  contentWriteMiddleware,
  entryPublished,
} from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { AppError, type Principal } from '../../core-plugins/foundation/http/http.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type ContentWorld, create, read, startContent } from '../api/content-world.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'

const principal: Principal = { kind: 'token', id: 1, name: 'test', scopes: new Set(['admin:*']) }

eachDatabase(({ name }) => {
  let world: ContentWorld
  let content: Content
  let bulkWrites: BulkWrites
  const seen: (string | null)[] = []
  const published: number[] = []
  const watcher = definePlugin({
    name: 'watcher',
    description: 'Vetoes, and looks at what is stored',
    register({ contribute, on }) {
      contribute(contentWriteMiddleware, {
        name: 'watcher',
        matches: ({ type, operation }) => type.name === 'person' && operation === 'publish',
        async run({ before, tx }, next) {
          if (before?.name === 'no') throw new AppError('FORBIDDEN', 'says no')
          const entry = await next()
          if (before?.name === 'never') throw new Error('unforeseen')
          const found = await content.update({ type: 'person', id: entry.id, principal, tx }, {})
          seen.push(found.published_at as string | null)
          return entry
        },
      })
      on(entryPublished, ({ entry }) => published.push(entry.id))
    },
  })

  before(async () => {
    world = await startContent(name, [watcher])
    content = world.service.kernel.get(contentService)
    bulkWrites = world.service.kernel.get(bulkWritesService)
  })
  after(() => world.stop())

  const createAll = async (...names: string[]) => {
    const ids: number[] = []
    for (const each of names) ids.push((await create(world.admin, 'person', { name: each })).id)
    return ids
  }
  const publish = (ids: readonly number[]) => bulkWrites.publishMany({ type: 'person', principal }, ids)
  const datesOf = async (ids: readonly number[]) => {
    const entries = await Promise.all(ids.map((id) => read(world.admin, 'person', id)))
    return entries.map((entry) => entry.published_at)
  }

  /** What follows earlier writes in the background may be counted as well. */
  const fewest = async (count: () => Promise<number>) => Math.min(await count(), await count(), await count())

  describe('entries that are updated together', () => {
    const update = (ids: readonly number[], data: object) =>
      bulkWrites.updateMany({ type: 'person', principal }, ids, data)

    it('take as many statements for each fifty', slow, async () => {
      const ids = await createAll(...Array.from({ length: 50 }, (_, index) => `many ${index}`))
      const database = world.service.kernel.get(databaseService)
      const { table = '' } = world.service.kernel.get(schemasService).types.get('person') ?? {}
      for (const about of [table, 'svc_revisions', 'svc_audit_logs', 'svc_search_documents']) {
        const few = () => update(ids.slice(0, 10), { name: `few ${about}` })
        const many = () => update(ids, { name: `many ${about}` })
        const count = await fewest(() => countStatements(database, few, about))
        assert.ok(count > 0, about)
        assert.equal(await fewest(() => countStatements(database, many, about)), count, about)
      }
      assert.deepEqual(await update([...ids].reverse(), { name: 'again' }), ids)
      const { name } = await read(world.admin, 'person', ids[49] ?? 0)
      assert.equal(name, 'again')
    })

    it('are told once what is wrong with what they are to be', async () => {
      const ids = await createAll('a', 'b')
      await assert.rejects(update(ids, { name: 5 }), (error: AppError) => {
        assert.deepEqual(
          error.details?.map(({ path }) => path),
          ['name'],
        )
        return true
      })
    })
  })

  describe('entries that are published together', () => {
    it('run through their middleware, which finds them stored, and are told of', async () => {
      const ids = await createAll('a', 'b', 'c')
      await publish([...ids, ...ids])
      const dates = await datesOf(ids)
      assert.equal(new Set(dates).size, 1)
      assert.deepEqual(seen, dates)
      assert.deepEqual(published, ids)
      await publish(ids)
      assert.deepEqual(published, ids)
      await bulkWrites.unpublishMany({ type: 'person', principal }, ids)
      assert.deepEqual(await datesOf(ids), [null, null, null])
    })

    it('stay as they are where some cannot be, and all of those are named', async () => {
      const [good, bad, worse] = await createAll('a', 'no', 'no')
      await assert.rejects(publish([good ?? 0, bad ?? 0, worse ?? 0]), (error: AppError) => {
        assert.equal(error.code, 'FORBIDDEN')
        const message = 'says no'
        assert.deepEqual(error.details, [
          { path: `person:${bad}`, code: 'FORBIDDEN', message },
          { path: `person:${worse}`, code: 'FORBIDDEN', message },
        ])
        return true
      })
      assert.deepEqual(await datesOf([good ?? 0]), [null])
      await assert.rejects(publish([good ?? 0, 999_999]), /person 999999 not found/)
    })

    it('stay as they are where something unforeseen happens', async () => {
      const ids = await createAll('a', 'never', 'b')
      await assert.rejects(publish(ids), /unforeseen/)
      assert.deepEqual(await datesOf(ids), [null, null, null])
    })
  })
})
