import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import {
  addMedia,
  create,
  dataOf,
  entriesIn,
  entryIn,
  pathOf,
  problemsIn,
  read,
  update,
  useContent,
  withScopes,
} from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  const link = (type: string, id: number, field: string, target: unknown) =>
    world.admin.post(pathOf(type, `${id}/link/${field}`), { id: target })
  const unlink = (type: string, id: number, field: string, target: unknown) =>
    world.admin.delete(pathOf(type, `${id}/unlink/${field}`), { id: target })
  const tags = (...names: string[]) =>
    Promise.all(names.map((name) => create(world.admin, 'tag', { name: `${name} ${Math.random()}` })))

  describe('a write that names very many entries', slow, () => {
    it('is refused in a clear answer', async () => {
      const friends = Array.from({ length: 300_000 }, (_, index) => index + 1)
      const answer = await world.admin.post('/api/content/person', { name: 'Many', friends })
      assert.equal(answer.status, 400)
      assert.match(answer.body.error.message, /refers to more than 10000 entries/)
    })
  })

  describe('a to-many relation', () => {
    it('keeps the order in which ids are given, through every change', async () => {
      const [a, b, c, d] = (await tags('a', 'b', 'c', 'd')).map(({ id }) => id)
      const { id, tags: first } = await create(world.admin, 'sample', { tags: [c, a, b] })
      assert.deepEqual(first, [c, a, b])
      for (const ids of [[b, c, a], [a], [d, a, c], [], [a, b, c, d], [d, c, b, a], [d, c]]) {
        assert.deepEqual((await update(world.admin, 'sample', id, { tags: ids })).tags, ids)
        assert.deepEqual((await read(world.admin, 'sample', id)).tags, ids)
      }
      assert.deepEqual((await update(world.admin, 'sample', id, { tags: [a, b, a] })).tags, [a, b])
      assert.deepEqual((await update(world.admin, 'sample', id, { tags: null })).tags, [])
    })

    it('is linked and unlinked one by one', async () => {
      const [a, b] = (await tags('a', 'b')).map(({ id }) => id) as [number, number]
      const { id } = await create(world.admin, 'sample')
      assert.deepEqual(dataOf(await link('sample', id, 'tags', b)).tags, [b])
      assert.deepEqual(dataOf(await link('sample', id, 'tags', a)).tags, [b, a])
      assert.deepEqual(dataOf(await link('sample', id, 'tags', b)).tags, [b, a], 'twice leaves one link')
      assert.deepEqual(dataOf(await unlink('sample', id, 'tags', b)).tags, [a])
      assert.deepEqual(dataOf(await unlink('sample', id, 'tags', b)).tags, [a])
      assert.deepEqual((await read(world.admin, 'sample', id)).tags, [a])
    })

    it('is linked from its inverse side as well', async () => {
      const [tag] = (await tags('inverse')) as [{ id: number }]
      const { id } = await create(world.admin, 'sample')
      dataOf(await link('tag', tag.id, 'samples', id))
      assert.deepEqual((await read(world.admin, 'sample', id)).tags, [tag.id])
      const { samples } = await read(world.admin, 'tag', tag.id, '?populate=samples')
      assert.deepEqual(
        entriesIn(samples).map((sample) => sample.id),
        [id],
      )
      dataOf(await unlink('tag', tag.id, 'samples', id))
      assert.deepEqual((await read(world.admin, 'sample', id)).tags, [])
    })

    it('is not written from its inverse side', async () => {
      assert.deepEqual(problemsIn(await world.admin.post(pathOf('tag'), { name: 'x', samples: [] })), [
        'samples readOnly',
      ])
    })

    it('loses no link when many are made at once', async () => {
      const many = await tags(...Array.from({ length: 8 }, (_, index) => `at once ${index}`))
      const { id } = await create(world.admin, 'sample')
      const answers = await Promise.all(many.map((tag) => link('sample', id, 'tags', tag.id)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        many.map(() => 200),
      )
      const linked = (await read(world.admin, 'sample', id)).tags as number[]
      assert.deepEqual(
        [...linked].sort((x, y) => x - y),
        many.map((tag) => tag.id).sort((x, y) => x - y),
      )
    })
  })

  describe('a to-one relation', () => {
    it('is linked and unlinked', async () => {
      const first = await create(world.admin, 'person', { name: 'first' })
      const second = await create(world.admin, 'person', { name: 'second' })
      const { id } = await create(world.admin, 'sample', { owner: first.id })
      assert.equal(dataOf(await link('sample', id, 'owner', second.id)).owner, second.id)
      assert.equal(
        dataOf(await unlink('sample', id, 'owner', first.id)).owner,
        second.id,
        'not what is linked',
      )
      assert.equal(dataOf(await unlink('sample', id, 'owner', second.id)).owner, null)
      dataOf(await link('person', first.id, 'samples', id))
      assert.equal((await read(world.admin, 'sample', id)).owner, first.id)
      dataOf(await unlink('person', first.id, 'samples', id))
      assert.equal((await read(world.admin, 'sample', id)).owner, null)
    })

    it('belongs to one entry only where it is one to one', async () => {
      const target = await create(world.admin, 'sample')
      const first = await create(world.admin, 'sample', { twin: target.id })
      problemsIn(await world.admin.post(pathOf('sample'), { twin: target.id }), 409, 'CONFLICT')
      const populated = await read(world.admin, 'sample', target.id, '?populate=twinOf')
      assert.equal(entryIn(populated.twinOf).id, first.id)
      assert.equal((await read(world.admin, 'sample', first.id, '?populate=twinOf')).twinOf, null)
    })
  })

  describe('linking', () => {
    it('needs a relation and an entry that exist', async () => {
      const { id } = await create(world.admin, 'sample')
      problemsIn(await link('sample', id, 'tags', 999_999))
      problemsIn(await link('sample', id, 'owner', 999_999))
      for (const target of ['1', 0, -1, 1.5, null, undefined, [1], {}]) {
        problemsIn(await link('sample', id, 'tags', target))
        problemsIn(await unlink('sample', id, 'tags', target))
      }
      for (const field of ['nothing', 'title', 'seo', '__proto__', 'constructor', 'id']) {
        problemsIn(await link('sample', id, field, 1), 404, 'NOT_FOUND')
      }
      problemsIn(await link('sample', 999_999, 'tags', 1), 404, 'NOT_FOUND')
      problemsIn(await world.admin.post(pathOf('sample', `${id}/link/tags`), { id: 1, more: 2 }))
    })

    it('works for media', async () => {
      const [first, second] = (await addMedia(world, [`${database.name}-a`, `${database.name}-b`])) as [
        number,
        number,
      ]
      const { id } = await create(world.admin, 'sample')
      assert.deepEqual(dataOf(await link('sample', id, 'gallery', second)).gallery, [second])
      assert.deepEqual(dataOf(await link('sample', id, 'gallery', first)).gallery, [second, first])
      assert.equal(dataOf(await link('sample', id, 'cover', first)).cover, first)
      assert.deepEqual(dataOf(await unlink('sample', id, 'gallery', second)).gallery, [first])
    })

    it('is writing', async () => {
      const reader = await withScopes(world, 'content:read', 'content:delete')
      problemsIn(await reader.post(pathOf('sample', '1/link/tags'), { id: 1 }), 403, 'FORBIDDEN')
      problemsIn(await reader.delete(pathOf('sample', '1/unlink/tags'), { id: 1 }), 403, 'FORBIDDEN')
    })
  })
})
