import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type Content,
  contentService,
  contentWriteMiddleware,
  entryPublished,
} from '../../core-plugins/content/content.ts'
import { AppError, type Principal } from '../../core-plugins/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type ContentWorld, create, read, startContent } from '../api/content-world.ts'
import { eachDatabase } from '../support/databases.ts'

const principal: Principal = { kind: 'token', id: 1, name: 'test', scopes: new Set(['admin:*']) }

eachDatabase(({ name }) => {
  let world: ContentWorld
  let content: Content
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
  })
  after(() => world.stop())

  const createAll = async (...names: string[]) => {
    const ids: number[] = []
    for (const each of names) ids.push((await create(world.admin, 'person', { name: each })).id)
    return ids
  }
  const publish = (ids: readonly number[]) => content.publishMany({ type: 'person', principal }, ids)
  const datesOf = async (ids: readonly number[]) => {
    const entries = await Promise.all(ids.map((id) => read(world.admin, 'person', id)))
    return entries.map((entry) => entry.published_at)
  }

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
      await content.unpublishMany({ type: 'person', principal }, ids)
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
