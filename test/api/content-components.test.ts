import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { create, pathOf, problemsIn, read, update, useContent } from './content-world.ts'

const blocks = [
  { __component: 'test.menu', id: 'first', title: 'Menu', links: [{ label: 'a' }, { id: 2, label: 'b' }] },
  { __component: 'test.seo', title: 'Æ 🎈', noIndex: true },
  { __component: 'test.link', id: 3, label: '"quoted"' },
  { __component: 'test.menu', price: '0.000000000000000000000000000001' },
]

eachDatabase((database) => {
  const world = useContent(database.name)

  describe('components', () => {
    it('come back whole, in their order, with the ids that were sent', async () => {
      const seo = { id: 'own', title: 'SEO', noIndex: false }
      const links = [{ label: 'b' }, { label: 'a', id: 1 }, { label: 'b' }]
      const entry = await create(world.admin, 'sample', { seo, links, blocks })
      assert.deepEqual([entry.seo, entry.links, entry.blocks], [seo, links, blocks])
      const stored = await read(world.admin, 'sample', entry.id)
      assert.deepEqual([stored.seo, stored.links, stored.blocks], [seo, links, blocks])
    })

    it('are replaced as a whole', async () => {
      const { id } = await create(world.admin, 'sample', {
        seo: { id: 1, title: 'x', noIndex: true },
        blocks,
      })
      const changed = await update(world.admin, 'sample', id, {
        seo: { title: 'y' },
        blocks: blocks.slice(1, 3),
      })
      assert.deepEqual(changed.seo, { title: 'y', noIndex: false })
      assert.deepEqual(changed.blocks, blocks.slice(1, 3))
      const reversed = await update(world.admin, 'sample', id, { blocks: [...blocks].reverse() })
      assert.deepEqual(reversed.blocks, [...blocks].reverse())
      const cleared = await update(world.admin, 'sample', id, { seo: null, blocks: null })
      assert.deepEqual([cleared.seo, cleared.blocks], [null, []])
    })

    it('are checked with the path of every problem', async () => {
      const answer = await world.admin.post(pathOf('sample'), {
        seo: { noIndex: 'no' },
        links: [{ label: 'a' }, {}, { label: 'b', person: 'x' }],
        blocks: [
          { __component: 'test.unknown' },
          { __component: 'test.menu', links: [{ label: 1 }], other: 1 },
          'x',
        ],
      })
      assert.deepEqual(problemsIn(answer).sort(), [
        'blocks.0.__component component',
        'blocks.1.links.0.label type',
        'blocks.1.other unknown',
        'blocks.2 type',
        'links.1.label required',
        'links.2.person type',
        'seo.noIndex type',
        'seo.title required',
      ])
    })

    it('are as many as the schema allows', async () => {
      const item = { label: 'a' }
      problemsIn(await world.admin.post(pathOf('sample'), { links: Array(6).fill(item) }))
      for (const items of [[], [item, item, item]]) {
        problemsIn(await world.admin.post(pathOf('form'), { title: 'abc', items }))
      }
      const { items } = await create(world.admin, 'form', { title: 'abc', items: [item] })
      assert.deepEqual(items, [item])
    })

    it('may be large', async () => {
      const many = Array.from({ length: 2_000 }, (_, index) => ({
        __component: 'test.menu',
        title: `Block ${index}`,
      }))
      const { id } = await create(world.admin, 'sample', { blocks: many })
      assert.deepEqual((await read(world.admin, 'sample', id)).blocks, many)
    })
  })
})
