import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { seed } from '../api/content-seeds.ts'
import { addMedia, allow, create, dataOf, list, read, update, useContent } from '../api/content-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { ask, countStatements, post } from './graphql-world.ts'

/** What to ask of entries or items: values, and what they lead to. */
interface Tree {
  readonly values: readonly string[]
  readonly inside: Readonly<Record<string, Tree>>
}

/** Where a field leads to; blocks of a zone by the name of their type. */
type Shape = { readonly values: readonly string[]; readonly inside: Readonly<Record<string, string>> }

const shapes: Readonly<Record<string, Shape>> = {
  sample: {
    values: [
      ...['id', 'title', 'body', 'mail', 'count', 'big', 'price', 'isOn', 'day', 'seenAt', 'kind', 'data'],
      ...['rich', 'created_at', 'updated_at'],
    ],
    inside: {
      ...{ owner: 'person', tags: 'tag', twin: 'sample', twinOf: 'sample', cover: 'media', gallery: 'media' },
      ...{ seo: 'seo', links: 'link', blocks: 'block' },
    },
  },
  person: {
    values: ['id', 'name', 'age', 'published_at'],
    inside: { boss: 'person', staff: 'person', friends: 'person', samples: 'sample' },
  },
  tag: { values: ['id', 'name'], inside: { samples: 'sample' } },
  media: { values: ['id', 'url', 'filename', 'size', 'formats'], inside: {} },
  seo: { values: ['title', 'noIndex'], inside: { image: 'media' } },
  link: { values: ['id', 'label'], inside: { person: 'person', tags: 'tag' } },
  menu: { values: ['title', 'price'], inside: { links: 'link', image: 'media' } },
}

function treeOf(shape: string, depth: number): fc.Arbitrary<Tree> {
  if (shape === 'block') return treeOf('menu', depth)
  const { values, inside } = shapes[shape] as Shape
  const deeper = depth === 0 ? {} : mapValues(inside, (target) => treeOf(target, depth - 1))
  return fc.record({
    values: fc.subarray([...values], { minLength: 1 }),
    inside: fc.record(deeper, { requiredKeys: [] }) as fc.Arbitrary<Record<string, Tree>>,
  })
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function selectionText(tree: Tree): string {
  const inside = Object.entries(tree.inside).map(([name, subtree]) => {
    const text = selectionText(subtree)
    return name === 'blocks' ? `blocks { __component ... on ComponentTestMenu ${text} }` : `${name} ${text}`
  })
  return `{ ${[...tree.values, ...inside].join(' ')} }`
}

const referenceNames = new Set([
  ...['owner', 'tags', 'twin', 'twinOf', 'cover', 'gallery', 'boss', 'staff', 'friends', 'samples'],
  ...['image', 'person'],
])

function populatePaths(tree: Tree, path = ''): string[] {
  return Object.entries(tree.inside).flatMap(([name, subtree]) => {
    const here = `${path}${name}`
    return [...(referenceNames.has(name) ? [here] : []), ...populatePaths(subtree, `${here}.`)]
  })
}

/** What GraphQL has to answer for what REST did. */
function pick(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, tree))
  if (typeof value !== 'object' || value === null) return null
  const item = value as Record<string, unknown>
  return Object.fromEntries([
    ...(typeof item.__component === 'string' ? [['__component', item.__component]] : []),
    ...tree.values.map((name) => [name, item[name] ?? null]),
    ...Object.entries(tree.inside).map(([name, subtree]) => [name, pick(item[name] ?? null, subtree)]),
  ])
}

eachDatabase(({ name }) => {
  const world = useContent(name)

  before(async () => {
    const { samples, people } = await seed(world)
    // What is selected here at random is more than what anybody asks for.
    dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.maxCost': 1_000_000 }))
    const media = await addMedia(world, ['a.png', 'b.png', 'c.png'])
    for (const [index, { id }] of samples.entries()) {
      if (index % 3 !== 0) continue
      await update(world.admin, 'sample', id, {
        cover: media[index % 3],
        gallery: [...media].reverse(),
        seo: { title: 'x', image: media[1] },
      })
    }
    for (const { id } of people) {
      await update(world.admin, 'person', id, { friends: people.map((friend) => friend.id).reverse() })
    }
    const names = ['sample', 'person', 'tag'].map((type) => [type, { read: true }])
    await allow(world, 'public', Object.fromEntries(names))
  })

  describe('GraphQL queries', () => {
    for (const caller of ['admin', 'anonymous'] as const) {
      it(`answers ${caller} what REST does, whatever is selected`, slow, async () => {
        await fc.assert(
          fc.asyncProperty(treeOf('sample', 2), fc.integer({ min: 0, max: 30 }), async (tree, offset) => {
            const client = world[caller]
            const populate = populatePaths(tree).join(',')
            const rest = await list(client, 'sample', `?limit=7&offset=${offset}&populate=${populate}`)
            const { sampleList } = await ask(
              client,
              `{ sampleList(limit: 7, offset: ${offset}) { data ${selectionText(tree)} } }`,
            )
            assert.deepEqual(sampleList.data, pick(rest, tree))
          }),
          { numRuns: 25 },
        )
      })
    }

    it('answers one entry as REST does', async () => {
      const rest = await read(world.admin, 'sample', 1, '?populate=owner.boss,tags')
      const { sample } = await ask(
        world.admin,
        'query ($id: ID!) { sample(id: $id) { data { id title owner { id name boss { name } } tags { id name } } } }',
        { id: '1' },
      )
      const tree: Tree = {
        values: ['id', 'title'],
        inside: {
          owner: { values: ['id', 'name'], inside: { boss: { values: ['name'], inside: {} } } },
          tags: { values: ['id', 'name'], inside: {} },
        },
      }
      assert.deepEqual(sample.data, pick(rest, tree))
      assert.deepEqual(await ask(world.admin, '{ sample(id: 99999) { data { id } } }'), {
        sample: { data: null },
      })
    })

    it('filters, sorts and pages as REST does', async () => {
      const cases: [string, string][] = [
        ['filters: { title: { containsi: "ALPHA" } }', 'filters[title][$containsi]=ALPHA'],
        ['filters: { count: { gt: 1 }, isOn: { eq: true } }', 'filters[count][$gt]=1&filters[isOn]=true'],
        [
          'filters: { or: [{ count: { lt: 0 } }, { kind: { in: [red, green] } }] }',
          'filters[$or][0][count][$lt]=0&filters[$or][1][kind][$in]=red,green',
        ],
        ['filters: { kind: { ne: "Blue" } }', 'filters[kind][$ne]=Blue'],
        [
          'filters: { not: { owner: { name: { startsWith: "A" } } } }',
          'filters[$not][owner][name][$startsWith]=A',
        ],
        ['filters: { owner: { id: { eq: 1 } } }', 'filters[owner][$eq]=1'],
        ['filters: { owner: { null: true } }', 'filters[owner][$null]=true'],
        ['filters: { title: { eq: null } }', 'filters[title][$null]=true'],
        ['filters: { big: { eq: 9007199254740993 } }', 'filters[big][$eq]=9007199254740993'],
        [
          'filters: { price: { gte: 0.100000000000000000000000000001 } }',
          'filters[price][$gte]=0.100000000000000000000000000001',
        ],
        [
          'filters: { day: { between: ["2024-01-01", "2026-01-31"] } }',
          'filters[day][$between]=2024-01-01,2026-01-31',
        ],
        ['filters: { tags: { name: { eq: "été" } } }', 'filters[tags][name][$eq]=%C3%A9t%C3%A9'],
        ['filters: { title: { not: { contains: "a" } } }', 'filters[title][$not][$contains]=a'],
        ['filters: { seo: { title: { startsWith: "SEO" } } }', 'filters[seo][title][$startsWith]=SEO'],
        ['filters: { seo: { null: true } }', 'filters[seo][$null]=true'],
        ['filters: { seo: null }', 'filters[seo][$null]=true'],
        ['filters: { links: { null: true } }', 'filters[links][$null]=true'],
        ['filters: { blocks: { null: false } }', 'filters[blocks][$null]=false'],
        [
          'filters: { links: { label: { contains: "1" }, person: { name: { ne: "Ada" } } } }',
          'filters[links][label][$contains]=1&filters[links][person][name][$ne]=Ada',
        ],
        [
          'filters: { blocks: { ComponentTestMenu: { links: { or: [{ label: { eq: "x" } }] } } } }',
          'filters[blocks][test.menu][links][$or][0][label]=x',
        ],
        [
          'filters: { blocks: { not: { ComponentTestMenu: { links: { label: { eq: "x" } } } } } }',
          'filters[blocks][$not][test.menu][links][label]=x',
        ],
        ['filters: { data: { at: { path: "index", gt: 3 } } }', 'filters[data][index][$gt]=3'],
        [
          'filters: { data: { or: [{ at: [{ path: ["index"], in: [2, 4] }] }, { null: true }] } }',
          'filters[data][$or][0][index][$in]=2,4&filters[data][$or][1][$null]=true',
        ],
        [
          'filters: { data: { at: { path: "index", ne: "2" } } }',
          `filters[data][index][$ne]=${encodeURIComponent('"2"')}`,
        ],
        ['sort: "count:desc,title"', 'sort=count:desc,title'],
        ['sort: "createdAt"', 'sort=createdAt'],
        ['search: "alpha text"', 'search=alpha+text'],
        ['published: true', 'published=true'],
        ['limit: 3, offset: 4', 'limit=3&offset=4'],
      ]
      for (const [args, query] of cases) {
        const rest = await world.admin.get(
          `/api/content/sample?limit=100&${query}`.replace('limit=100&limit', 'limit'),
        )
        const limited = args.includes('limit') ? args : `limit: 100, ${args}`
        const { sampleList } = await ask(
          world.admin,
          `{ sampleList(${limited}) { data { id } pagination { total limit offset hasMore } } }`,
        )
        const ids = rest.body.data.map(({ id }: { id: number }) => ({ id }))
        assert.deepEqual(sampleList, { data: ids, pagination: rest.body.pagination }, args)
        assert.ok(ids.length > 0, args)
      }
    })

    it('pages with a cursor', async () => {
      const first = await ask(
        world.admin,
        '{ sampleList(limit: 20, cursor: "", sort: "title") { data { id } pagination { nextCursor hasMore total } } }',
      )
      const second = await ask(
        world.admin,
        'query ($cursor: String) { sampleList(limit: 20, cursor: $cursor, sort: "title") { data { id } pagination { nextCursor hasMore total } } }',
        { cursor: first.sampleList.pagination.nextCursor },
      )
      const rest = await list(world.admin, 'sample', '?limit=40&sort=title')
      assert.deepEqual(
        [...first.sampleList.data, ...second.sampleList.data],
        rest.map(({ id }) => ({ id })),
      )
      assert.deepEqual(second.sampleList.pagination, { nextCursor: null, hasMore: false, total: null })
    })

    it('narrows, orders and pages relations, each alias by itself', async () => {
      const { personList } = await ask(
        world.admin,
        `{ personList(limit: 10) { data {
          id
          latest: samples(sort: "id:desc", limit: 2) { id }
          second: samples(limit: 1, offset: 1) { id }
          samples(filters: { title: { contains: "a" } }) { id title }
          friends(sort: "name", limit: 2, offset: 1) { id name }
          others: friends(filters: { name: { ne: "Ada" } }) { name }
        } } }`,
      )
      const people = await list(world.admin, 'person', '?populate=samples,friends')
      const ids = (entries: readonly { id: number }[]) => entries.map(({ id }) => ({ id }))
      for (const [index, person] of people.entries()) {
        const samples = person.samples as { id: number; title: string | null }[]
        const friends = person.friends as { id: number; name: string }[]
        const byName = friends.toSorted((left, right) =>
          Buffer.compare(Buffer.from(left.name), Buffer.from(right.name)),
        )
        assert.deepEqual(personList.data[index], {
          id: person.id,
          latest: ids(samples.toReversed().slice(0, 2)),
          second: ids(samples.slice(1, 2)),
          samples: samples
            .filter(({ title }) => title?.includes('a'))
            .map(({ id, title }) => ({ id, title })),
          friends: byName.slice(1, 3).map(({ id, name: friend }) => ({ id, name: friend })),
          others: friends
            .filter(({ name: friend }) => friend !== 'Ada')
            .map(({ name: friend }) => ({ name: friend })),
        })
      }
    })

    it('follows fragments, directives, aliases and variables', async () => {
      const { a, b } = await ask(
        world.admin,
        `query Both($id: Int!, $more: Boolean!) {
          a: sample(id: $id) { data { ...Named again: title @skip(if: $more) owner @include(if: $more) { ...Person } __typename } }
          b: sample(id: 2) { __typename data { ... on Sample { title } ... @include(if: false) { id } } }
        }
        fragment Named on Sample { title owner { id } }
        fragment Person on Person { name }`,
        { id: 1, more: true },
      )
      const first = await read(world.admin, 'sample', 1, '?populate=owner')
      const owner = first.owner as { id: number; name: string }
      const expected = { title: first.title, owner: { id: owner.id, name: owner.name }, __typename: 'Sample' }
      assert.deepEqual(a.data, expected)
      assert.deepEqual(b, {
        __typename: 'SampleAnswer',
        data: { title: (await read(world.admin, 'sample', 2)).title },
      })
    })

    it('reads single types', async () => {
      assert.deepEqual(await ask(world.admin, '{ home { data { headline } } }'), { home: { data: null } })
      await create(world.admin, 'home', { headline: 'Hello', lead: 1 })
      assert.deepEqual(await ask(world.admin, '{ home { data { headline lead { name } } } }'), {
        home: { data: { headline: 'Hello', lead: { name: 'Ada' } } },
      })
    })

    it('sends one statement for each level and relation, however many entries there are', async () => {
      const document = (limit: number) =>
        `{ sampleList(limit: ${limit}) { data { title
            owner { name boss { name } } tags { name } cover { url } gallery { url }
            seo { title image { url } }
            links { label person { name } tags { name } }
            blocks { ... on ComponentTestMenu { links { person { name } } image { url } } }
          } pagination { total } } }`
      const statements = (limit: number) =>
        countStatements(world.service, () => ask(world.admin, document(limit)))
      await statements(35)
      // The list, its total, and ten relations; REST takes as many, or more.
      const many = await statements(30)
      assert.ok(many <= 12, String(many))
      const populate =
        'owner.boss,tags,cover,gallery,seo.image,links.person,links.tags,blocks.links.person,blocks.image'
      const rest = await countStatements(world.service, () =>
        list(world.admin, 'sample', `?limit=30&populate=${populate}`),
      )
      assert.ok(many <= rest, `${many} statements, REST ${rest}`)
      const plain = () => ask(world.admin, '{ sampleList(limit: 9) { data { title tags { name } } } }')
      assert.equal(await countStatements(world.service, plain), 2)
    })

    it('does not count what nobody asks for', async () => {
      const total = () => ask(world.admin, '{ sampleList { pagination { total } } }')
      const page = () => ask(world.admin, '{ sampleList { pagination { hasMore } } }')
      assert.equal(await countStatements(world.service, total), 2)
      assert.equal(await countStatements(world.service, page), 1)
    })

    it('tells what is wrong with the values of filters as REST does', async () => {
      const wrong = await post(
        world.admin,
        '{ sampleList(filters: { day: { eq: "yesterday" } }, sort: "nope") { data { id } } }',
      )
      assert.equal(wrong.status, 400)
      const [error] = wrong.body.errors
      assert.equal(error.extensions.code, 'VALIDATION_ERROR')
      assert.deepEqual(error.path, ['sampleList'])
      assert.deepEqual(error.extensions.details.map(({ path }: { path: string }) => path).sort(), [
        'filters.day.$eq',
        'sort',
      ])
    })
  })
})
