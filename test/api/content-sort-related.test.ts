import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { type Compare, comparisons } from './content-oracle.ts'
import { type Seeds, seed } from './content-seeds.ts'
import {
  allow,
  type Entry,
  listIds,
  pathOf,
  problemsIn,
  signUp,
  useContent,
  withScopes,
} from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  let seeds: Seeds

  before(async () => {
    seeds = await seed(world)
  })

  /** The ids in the order that docs/content-api.md describes: null first, ties by id. */
  function expected(
    entries: readonly Entry[],
    valueIn: (entry: Entry) => unknown,
    compare: Compare,
    sign: number,
  ) {
    const order = (left: unknown, right: unknown) => {
      if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1
      return compare(String(left), String(right))
    }
    return [...entries]
      .sort((left, right) => sign * order(valueIn(left), valueIn(right)) || left.id - right.id)
      .map(({ id }) => id)
  }

  const ownerOf = (people: readonly Entry[]) => (sample: Entry) =>
    people.find(({ id }) => id === sample.owner)

  describe('a sort by a field of a related entry', () => {
    it('orders as the field says, null where there is nothing', async () => {
      const owner = ownerOf(seeds.people)
      for (const field of ['name', 'age', 'id', 'published_at']) {
        for (const [direction, sign] of [
          ['asc', 1],
          ['desc', -1],
        ] as const) {
          const found = await listIds(world.admin, 'sample', `?limit=100&sort=owner.${field}:${direction}`)
          const value = (sample: Entry) => owner(sample)?.[field] ?? null
          const compare = comparisons[field] ?? ((left, right) => (left < right ? -1 : Number(left > right)))
          assert.deepEqual(found, expected(seeds.samples, value, compare, sign), `${field} ${direction}`)
        }
      }
    })

    it('combines with other keys, filters, pages and GraphQL', slow, async () => {
      const all = await listIds(world.admin, 'sample', '?limit=100&sort=owner.name:desc,title,twin.title')
      assert.equal(new Set(all).size, seeds.samples.length)
      const pages: number[] = []
      for (let offset = 0; offset < all.length; offset += 10) {
        const page = `?limit=10&offset=${offset}&sort=owner.name:desc,title,twin.title`
        pages.push(...(await listIds(world.admin, 'sample', page)))
      }
      assert.deepEqual(pages, all)
      const query = '{ sampleList(limit: 100, sort: "owner.name:desc,title,twin.title") { data { id } } }'
      const { body } = await world.admin.post('/api/graphql', { query })
      assert.deepEqual(
        body.data.sampleList.data.map(({ id }: Entry) => id),
        all,
      )
    })

    it('tells nothing of entries and types that the caller may not see', async () => {
      await allow(world, 'authenticated', { sample: { read: true }, person: { read: true } })
      const reader = await signUp(world, `reader${database.name}`)
      const published = ownerOf(seeds.people.slice(0, 2))
      const found = await listIds(reader, 'sample', '?limit=100&sort=owner.name')
      const name = (sample: Entry) => published(sample)?.name ?? null
      assert.deepEqual(found, expected(seeds.samples, name, comparisons.name as Compare, 1))
      const samplesOnly = await withScopes(world, 'content:read:sample')
      for (const field of ['name', 'nothing', 'name:sideways']) {
        problemsIn(await samplesOnly.get(`${pathOf('sample')}?sort=owner.${field}`), 403, 'FORBIDDEN')
      }
    })

    it('is refused where it leads nowhere, to many, or too far', async () => {
      const sorts = [
        ...['owner.nothing', 'owner.boss', 'owner.boss.name', 'tags.name', 'twinOf.title', 'title.name'],
        ...[
          'owner.',
          '.name',
          'owner.constructor',
          'owner.__proto__',
          'seo.title',
          'twin.data',
          'owner.email',
        ],
        'owner.name,owner.age,twin.title,twin.count',
      ]
      for (const sort of sorts) problemsIn(await world.admin.get(`${pathOf('sample')}?sort=${sort}`))
      const withCursor = await world.admin.get(`${pathOf('sample')}?sort=owner.name&cursor=`)
      assert.deepEqual(problemsIn(withCursor), ['cursor conflict'])
    })
  })
})
