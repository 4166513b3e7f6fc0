import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  contentReadMiddleware,
  contentWriteMiddleware,
  type EntryEvent,
  entryCreated,
  entryDeleted,
  entryPublished,
  entryUnpublished,
  entryUpdated,
} from '../../core-plugins/entries/content/content.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { create, dataOf, listIds, pathOf, problemsIn, read, update, useContent } from './content-world.ts'

/** Writes down what hooks tell, as `create memo 7`, and what they were told with it. */
function recorder() {
  const events: { readonly name: string; readonly payload: EntryEvent }[] = []
  const hooks = {
    create: entryCreated,
    update: entryUpdated,
    delete: entryDeleted,
    publish: entryPublished,
    unpublish: entryUnpublished,
  }
  const plugin = definePlugin({
    name: 'recorder',
    description: 'Writes down what happens to entries',
    register({ on }) {
      for (const [name, hook] of Object.entries(hooks)) {
        on(hook, (payload) => {
          events.push({ name, payload })
          throw new Error('a listener that fails changes nothing')
        })
      }
    },
  })
  return {
    plugin,
    events,
    /** What has been told, once it is this much. */
    async told(count: number): Promise<string[]> {
      while (events.length < count) await new Promise(setImmediate)
      return events.splice(0).map(({ name, payload }) => `${name} ${payload.contentType} ${payload.entry.id}`)
    },
  }
}

/** Stages on memos that change, veto and roll back, and one that adds to what is read. */
const stages = definePlugin({
  name: 'stages',
  description: 'Has a say in memos',
  register({ contribute }) {
    contribute(contentWriteMiddleware, {
      name: 'memos by their titles',
      matches: ({ type, operation }) => type.name === 'memo' && operation === 'create',
      async run(context, next) {
        const title = String(context.data.title)
        if (title === 'veto') throw new AppError('CONFLICT', 'not this one')
        context.data = { ...context.data, title: title.toUpperCase() }
        const entry = await next()
        if (title === 'too late') throw new AppError('CONFLICT', 'not this one either')
        return entry
      },
    })
    contribute(contentReadMiddleware, {
      name: 'memos with a length',
      matches: ({ type, operation }) => type.name === 'memo' && operation === 'find',
      async run(_, next) {
        const found = await next()
        if (found !== undefined && 'entry' in found) found.entry.length = String(found.entry.title).length
        return found
      },
    })
  },
})

eachDatabase((database) => {
  const { plugin, events, told } = recorder()
  const world = useContent(database.name, [plugin, stages])

  describe('hooks', () => {
    it('tell of every write that changed something, and of no other', async () => {
      const { id } = await create(world.admin, 'person', { name: 'Ada' })
      await update(world.admin, 'person', id, { age: 36 })
      await update(world.admin, 'person', id, {})
      dataOf(await world.admin.put(pathOf('person', `${id}/unpublish`)))
      dataOf(
        await world.admin.put(pathOf('person', `${id}/publish`), { publishedAt: '2999-01-01T00:00:00Z' }),
      )
      dataOf(await world.admin.put(pathOf('person', `${id}/publish`)))
      dataOf(await world.admin.put(pathOf('person', `${id}/publish`)))
      dataOf(await world.admin.put(pathOf('person', `${id}/unpublish`)))
      dataOf(await world.admin.delete(pathOf('person', id)))
      const names = ['create', 'update', 'update', 'publish', 'unpublish', 'delete']
      assert.deepEqual(
        await told(6),
        names.map((name) => `${name} person ${id}`),
      )
    })

    it('tell of each entry that was written together with others', async () => {
      const first = await create(world.admin, 'shelf', { name: 'first' })
      const second = await create(world.admin, 'shelf', { name: 'second', parent: first.id })
      const book = await create(world.admin, 'book', { shelf: second.id })
      await told(3)
      const ids = [first.id, second.id]
      dataOf(await world.admin.patch(pathOf('shelf', 'bulk-update'), { ids, data: { name: 'both' } }))
      assert.deepEqual(
        await told(2),
        ids.map((id) => `update shelf ${id}`),
      )
      dataOf(await world.admin.delete(pathOf('shelf', 'bulk-delete'), { ids }))
      const deleted = (await told(3)).sort()
      assert.deepEqual(deleted, [`delete book ${book.id}`, ...ids.map((id) => `delete shelf ${id}`)].sort())
    })

    it('tell of the entry as it was at that write, and of who wrote it', async () => {
      const created = await create(world.admin, 'person', { name: 'Ada' })
      await update(world.admin, 'person', created.id, { name: 'Grace' })
      while (events.length < 2) await new Promise(setImmediate)
      const [first, second] = events.splice(0)
      assert.deepEqual(first?.payload.entry, created)
      assert.equal(second?.payload.entry.name, 'Grace')
      assert.equal(second?.payload.principal.kind, 'admin')
    })

    it('tell nothing of writes that were refused', async () => {
      const { id } = await create(world.admin, 'sample', { code: 'told once' })
      await told(1)
      problemsIn(await world.admin.post(pathOf('sample'), { code: 'told once' }), 409, 'CONFLICT')
      problemsIn(await world.admin.put(pathOf('sample', id), { owner: 999_999 }))
      const ids = [id, 999_999]
      problemsIn(await world.admin.delete(pathOf('sample', 'bulk-delete'), { ids }), 404, 'NOT_FOUND')
      const last = await create(world.admin, 'sample')
      assert.deepEqual(await told(1), [`create sample ${last.id}`])
    })
  })

  describe('middleware', () => {
    it('changes what is written and what is read', async () => {
      const memo = await create(world.admin, 'memo', { title: 'small' })
      assert.equal(memo.title, 'SMALL')
      assert.equal((await read(world.admin, 'memo', memo.id)).length, 5)
      assert.deepEqual(await told(1), [`create memo ${memo.id}`])
    })

    it('vetoes a write, and takes everything back even at the end', async () => {
      for (const title of ['veto', 'too late']) {
        problemsIn(await world.admin.post(pathOf('memo'), { title, slug: 'taken back' }), 409, 'CONFLICT')
      }
      assert.deepEqual(
        await listIds(world.admin, 'memo', '?filters[slug]=taken back'.replace(' ', '%20')),
        [],
      )
      const { id } = await create(world.admin, 'memo', { title: 'x', slug: 'taken back' })
      assert.deepEqual(await told(1), [`create memo ${id}`])
    })
  })
})
