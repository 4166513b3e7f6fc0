import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { whole } from './content-schemas.ts'
import {
  create,
  dataOf,
  listIds,
  pathOf,
  problemsIn,
  read,
  update,
  useContent,
  withScopes,
} from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  const restore = (type: string, id: number) => world.admin.post(pathOf(type, `${id}/restore`))

  describe('a soft-deleted entry', () => {
    it('is invisible everywhere, but to administrators who ask for it', async () => {
      const memo = await create(world.admin, 'memo', { title: 'soft', slug: `soft-${database.name}` })
      const next = await create(world.admin, 'memo', { title: 'next', previous: memo.id })
      assert.equal(dataOf(await world.admin.delete(pathOf('memo', memo.id))).id, memo.id)
      problemsIn(await world.admin.get(pathOf('memo', memo.id)), 404, 'NOT_FOUND')
      problemsIn(await world.admin.put(pathOf('memo', memo.id), { title: 'x' }), 404, 'NOT_FOUND')
      problemsIn(await world.admin.delete(pathOf('memo', memo.id)), 404, 'NOT_FOUND')
      assert.deepEqual(await listIds(world.admin, 'memo', `?filters[id][$in]=${memo.id},${next.id}`), [
        next.id,
      ])
      assert.equal((await read(world.admin, 'memo', next.id)).previous, null)
      assert.equal((await read(world.admin, 'memo', next.id, '?populate=previous')).previous, null)
      assert.deepEqual(await listIds(world.admin, 'memo', '?filters[previous][title]=soft'), [])
      problemsIn(await world.admin.post(pathOf('memo'), { title: 'points at it', previous: memo.id }))
      problemsIn(
        await world.admin.patch(pathOf('memo', 'bulk-update'), { ids: [memo.id], data: {} }),
        404,
        'NOT_FOUND',
      )
      assert.ok((await listIds(world.admin, 'memo', '?deleted=true&limit=100')).includes(memo.id))
      assert.equal((await read(world.admin, 'memo', memo.id, '?deleted=true')).title, 'soft')
    })

    it('is not shown to others who ask for it', async () => {
      const reader = await withScopes(world, 'content:read', 'content:write', 'content:delete')
      problemsIn(await reader.get(`${pathOf('memo')}?deleted=true`), 403, 'FORBIDDEN')
      const { id } = await create(world.admin, 'memo', { title: 'x' })
      dataOf(await reader.delete(pathOf('memo', id)))
      problemsIn(await reader.get(`${pathOf('memo', id)}?deleted=true`), 403, 'FORBIDDEN')
      problemsIn(await reader.post(pathOf('memo', `${id}/restore`)), 403, 'FORBIDDEN')
    })

    it('comes back as it was', async () => {
      const memo = await create(world.admin, 'memo', { title: 'back', slug: `back-${database.name}` })
      const next = await create(world.admin, 'memo', { title: 'next', previous: memo.id })
      dataOf(await world.admin.delete(pathOf('memo', memo.id)))
      const restored = dataOf(await restore('memo', memo.id))
      assert.deepEqual({ ...restored, updated_at: '' }, { ...memo, updated_at: '' })
      assert.equal((await read(world.admin, 'memo', memo.id)).title, 'back')
      assert.equal((await read(world.admin, 'memo', next.id)).previous, memo.id)
      assert.ok(!(await listIds(world.admin, 'memo', '?deleted=true&limit=100')).includes(memo.id))
      problemsIn(await restore('memo', memo.id), 404, 'NOT_FOUND')
      problemsIn(await restore('sample', 1), 404, 'NOT_FOUND')
    })

    it('does not come back in the place of another one with the same unique value', async () => {
      const slug = `taken-${database.name}`
      const memo = await create(world.admin, 'memo', { title: 'first', slug })
      dataOf(await world.admin.delete(pathOf('memo', memo.id)))
      const answer = await world.admin.post(pathOf('memo'), { title: 'second', slug })
      if (answer.status === 201) problemsIn(await restore('memo', memo.id), 409, 'CONFLICT')
      else problemsIn(answer, 409, 'CONFLICT')
    })
  })

  describe('deleting an entry', () => {
    it('deletes what points at it where the schema says CASCADE', async () => {
      const shelf = await create(world.admin, 'shelf', { name: 'top' })
      const inner = await create(world.admin, 'shelf', { name: 'inner', parent: shelf.id })
      const book = await create(world.admin, 'book', { title: 'on it', shelf: inner.id })
      const other = await create(world.admin, 'book', { title: 'elsewhere' })
      dataOf(await world.admin.delete(pathOf('shelf', shelf.id)))
      for (const [type, id] of [
        ['shelf', inner.id],
        ['book', book.id],
      ] as const) {
        problemsIn(await world.admin.get(pathOf(type, id)), 404, 'NOT_FOUND')
      }
      assert.equal((await read(world.admin, 'book', other.id)).title, 'elsewhere')
    })

    it('ends where entries point at one another', async () => {
      const first = await create(world.admin, 'shelf', { name: 'first' })
      const second = await create(world.admin, 'shelf', { name: 'second', parent: first.id })
      const third = await create(world.admin, 'shelf', { name: 'third', parent: second.id })
      await update(world.admin, 'shelf', first.id, { parent: third.id })
      dataOf(await world.admin.delete(pathOf('shelf', second.id)))
      assert.deepEqual(
        await listIds(world.admin, 'shelf', `?filters[id][$in]=${first.id},${second.id},${third.id}`),
        [],
      )
      const own = await create(world.admin, 'shelf', { name: 'own' })
      await update(world.admin, 'shelf', own.id, { parent: own.id })
      dataOf(await world.admin.delete(pathOf('shelf', own.id)))
    })

    it('leaves null, or one link less, where the schema says SET NULL', async () => {
      const book = await create(world.admin, 'book', { title: 'one' })
      const sequel = await create(world.admin, 'book', {
        title: 'two',
        sequelOf: book.id,
        similar: [book.id],
      })
      dataOf(await world.admin.delete(pathOf('book', book.id)))
      const left = await read(world.admin, 'book', sequel.id)
      assert.deepEqual([left.sequelOf, left.similar], [null, []])
    })

    it('is refused where the schema says RESTRICT', async () => {
      const shelf = await create(world.admin, 'shelf', { name: 'kept' })
      const book = await create(world.admin, 'book', { title: 'lent', shelf: shelf.id })
      const loan = await create(world.admin, 'loan', { book: book.id })
      problemsIn(await world.admin.delete(pathOf('book', book.id)), 409, 'RESTRICTED')
      problemsIn(await world.admin.delete(pathOf('shelf', shelf.id)), 409, 'RESTRICTED')
      problemsIn(
        await world.admin.delete(pathOf('book', 'bulk-delete'), { ids: [book.id] }),
        409,
        'RESTRICTED',
      )
      assert.equal((await read(world.admin, 'book', book.id)).shelf, shelf.id)
      dataOf(await world.admin.delete(pathOf('loan', loan.id)))
      dataOf(await world.admin.delete(pathOf('book', book.id)))
    })

    it('leaves ids in components that are then shown no more', async () => {
      const person = await create(world.admin, 'person', { name: 'Gone' })
      const sample = await create(world.admin, 'sample', { links: [{ label: 'x', person: person.id }] })
      dataOf(await world.admin.delete(pathOf('person', person.id)))
      assert.deepEqual((await read(world.admin, 'sample', sample.id)).links, [whole.link({ label: 'x' })])
      const expanded = await read(world.admin, 'sample', sample.id, '?populate=links.person')
      assert.deepEqual(expanded.links, [whole.link({ label: 'x' })])
    })
  })
})
