import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { eachDatabase } from '../support/databases.ts'
import { whole, wholeBlock } from './content-schemas.ts'
import { create, list, pathOf, problemsIn, read, update, useContent } from './content-world.ts'

const blocks = [
  { __component: 'test.menu', id: 'first', title: 'Menu', links: [{ label: 'a' }, { id: 2, label: 'b' }] },
  { __component: 'test.seo', title: 'Æ 🎈', noIndex: true },
  { __component: 'test.link', id: 3, label: '"quoted"' },
  { __component: 'test.menu', price: '0.000000000000000000000000000001' },
]
const wholeBlocks = blocks.map(wholeBlock)

eachDatabase((database) => {
  const world = useContent(database.name)

  /** Past all checks, as an earlier version or schema has stored it. */
  async function store(id: number, values: object) {
    const database = world.service.kernel.get(databaseService)
    const columns = Object.entries(values).map(
      ([name, value]) => sql`${sql.identifier(name)} = ${database.dialect.bind(value, 'json')}`,
    )
    const { table } = world.service.kernel.get(schemasService).types.get('sample') ?? {}
    const update = sql`update ${sql.identifier(table ?? '')} set ${sql.join(columns, sql`, `)} where id = ${id}`
    await database.run(database.prepare(update))
  }

  describe('components', () => {
    it('come back whole, in their order, with the ids that were sent', async () => {
      const seo = { id: 'own', title: 'SEO', noIndex: false }
      const links = [{ label: 'b' }, { label: 'a', id: 1 }, { label: 'b' }]
      const entry = await create(world.admin, 'sample', { seo, links, blocks })
      const expected = [whole.seo(seo), links.map(whole.link), wholeBlocks]
      assert.deepEqual([entry.seo, entry.links, entry.blocks], expected)
      const stored = await read(world.admin, 'sample', entry.id)
      assert.deepEqual([stored.seo, stored.links, stored.blocks], expected)
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
      assert.deepEqual(changed.seo, whole.seo({ title: 'y' }))
      assert.deepEqual(changed.blocks, wholeBlocks.slice(1, 3))
      const reversed = await update(world.admin, 'sample', id, { blocks: [...blocks].reverse() })
      assert.deepEqual(reversed.blocks, [...wholeBlocks].reverse())
      const cleared = await update(world.admin, 'sample', id, { seo: null, blocks: null })
      assert.deepEqual([cleared.seo, cleared.blocks], [null, []])
    })

    it('come whole where they were stored before they had all of their attributes', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'old', seo: { title: 'x' } })
      const links = [{ label: 'a' }]
      const nested = { __component: 'test.menu', links: [{ label: 'b' }] }
      await store(id, { seo: { title: 'x' }, links, blocks: [nested, ...blocks] })
      const entry = await read(world.admin, 'sample', id)
      assert.deepEqual(entry.seo, whole.seo({ title: 'x', noIndex: null }))
      assert.deepEqual(entry.links, [whole.link({ label: 'a' })])
      const [first, second] = entry.blocks as object[]
      assert.deepEqual([first, second], [wholeBlock(nested), wholeBlocks[0]])
      assert.deepEqual(await list(world.admin, 'sample', '?filters[title]=old'), [entry])
      const changed = await update(world.admin, 'sample', id, { title: 'new' })
      assert.deepEqual([changed.seo, changed.blocks], [entry.seo, entry.blocks])
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
      assert.deepEqual(items, [whole.link(item)])
    })

    it('may be large', async () => {
      const many = Array.from({ length: 2_000 }, (_, index) => ({
        __component: 'test.menu',
        title: `Block ${index}`,
      }))
      const { id } = await create(world.admin, 'sample', { blocks: many })
      assert.deepEqual((await read(world.admin, 'sample', id)).blocks, many.map(wholeBlock))
    })
  })
})
