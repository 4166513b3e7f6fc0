import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { create, createAll, listIds, pathOf, read, useContent } from './content-world.ts'

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

function countBy(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

eachDatabase((database) => {
  const world = useContent(database.name)

  describe('writers at the same time', () => {
    it('make one entry of each unique value', async () => {
      const answers = await times(10, () => world.admin.post(pathOf('sample'), { code: 'once' }))
      assert.deepEqual(countBy(answers), { 201: 1, 409: 9 })
      assert.equal((await listIds(world.admin, 'sample', '?filters[code]=once')).length, 1)
    })

    it('change different fields without undoing one another', async () => {
      const { id } = await create(world.admin, 'sample', {})
      const changes = [
        { title: 'x' },
        { count: 5 },
        { isOn: true },
        { price: '1.25' },
        { day: '2026-01-31' },
        { data: [1] },
      ]
      const answers = await Promise.all(changes.map((data) => world.admin.put(pathOf('sample', id), data)))
      assert.deepEqual(countBy(answers), { 200: changes.length })
      const { title, count, isOn, price, day, data } = await read(world.admin, 'sample', id)
      assert.deepEqual(
        { title, count, isOn, price, day, data },
        {
          title: 'x',
          count: 5,
          isOn: true,
          price: 1.25,
          day: '2026-01-31',
          data: [1],
        },
      )
    })

    it('may touch the same entries in any order', async () => {
      const ids = (await createAll(world.admin, 'sample', [{}, {}, {}, {}])).map(({ id }) => id)
      const answers = await times(12, (index) =>
        world.admin.patch(pathOf('sample', 'bulk-update'), {
          ids: index % 2 === 0 ? ids : [...ids].reverse(),
          data: { count: index },
        }),
      )
      assert.deepEqual(countBy(answers), { 200: 12 })
      const counts = await Promise.all(ids.map(async (id) => (await read(world.admin, 'sample', id)).count))
      assert.equal(new Set(counts).size, 1, 'each of them changed all')
    })

    it('may delete what others are changing', async () => {
      const ids = (await createAll(world.admin, 'sample', [{}, {}, {}])).map(({ id }) => id)
      const tag = await create(world.admin, 'tag', { name: 'at the same time' })
      const answers = await Promise.all(
        ids.flatMap((id) => [
          world.admin.put(pathOf('sample', id), { tags: [tag.id] }),
          world.admin.delete(pathOf('sample', id)),
          world.admin.put(pathOf('sample', id), { twin: ids[0] }),
          world.admin.delete(pathOf('sample', id)),
        ]),
      )
      for (const { status, body } of answers) {
        assert.ok([200, 400, 404, 409].includes(status), `${status} ${JSON.stringify(body)}`)
      }
      assert.deepEqual(await listIds(world.admin, 'sample', `?filters[id][$in]=${ids}`), [])
    })

    it('lose nothing that was acknowledged', async () => {
      const answers = await times(60, (index) => world.admin.post(pathOf('memo'), { title: `Memo ${index}` }))
      assert.deepEqual(countBy(answers), { 201: 60 })
      const ids = answers.map(({ body }) => body.data.id as number).sort((left, right) => left - right)
      assert.equal(new Set(ids).size, 60)
      assert.deepEqual(await listIds(world.admin, 'memo', '?fields=id&limit=100'), ids)
    })
  })
})
