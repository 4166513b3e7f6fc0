import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { expectedAnswer, type Question } from './aggregate-oracle.ts'
import { type Filter, filterQuery } from './content-oracle.ts'
import { type Seeds, seed } from './content-seeds.ts'
import {
  allow,
  type ContentWorld,
  create,
  createAll,
  dataOf,
  pathOf,
  problemsIn,
  signUp,
  startContent,
  useContent,
  withScopes,
} from './content-world.ts'

const numbers = ['count', 'big', 'price', 'id']
const ordered = [...numbers, 'title', 'body', 'isOn', 'day', 'seenAt', 'kind', 'mail']
const groupable = ['title', 'count', 'big', 'price', 'isOn', 'day', 'seenAt', 'kind', 'owner', 'tags', 'twin']
const countable = [...ordered, 'owner', 'tags', 'twin']

const from = (names: readonly string[]) => fc.constantFrom(...names)

const measures = fc.oneof(
  fc.record({
    function: fc.constant('count' as const),
    field: fc.option(from(countable), { nil: undefined }),
  }),
  fc.record({ function: fc.constantFrom('sum' as const, 'avg' as const), field: from(numbers) }),
  fc.record({ function: fc.constantFrom('min' as const, 'max' as const), field: from(ordered) }),
)

const questions: fc.Arbitrary<Question> = fc
  .tuple(
    measures,
    fc.uniqueArray(from(groupable), { maxLength: 2 }),
    fc.constantFrom({}, { count: { $gt: '0' } }, { owner: { age: { $gt: '40' } } }, { kind: { $ne: 'red' } }),
  )
  .map(([{ function: name, field }, groupBy, filter]) => ({
    function: name,
    ...(field === undefined ? {} : { field }),
    groupBy,
    filter,
  }))

function queryOf({ function: name, field, groupBy = [], filter = {} }: Question): string {
  const parts = [
    `function=${name}`,
    ...(field === undefined ? [] : [`field=${field}`]),
    ...groupBy.map((each) => `groupBy[]=${each}`),
    filterQuery(filter),
  ]
  return parts.filter((part) => part !== '').join('&')
}

const path = (type: string, query: string) => `${pathOf(type, 'aggregate')}?${query}`

/** What the route for distinct values answers, by field. */
async function distinct(client: Client, query: string, type = 'sample'): Promise<Facets> {
  return dataOf(await client.get(`${pathOf(type, 'distinct')}?${query}`)) as unknown as Facets
}

type Facets = Readonly<Record<string, { readonly values: readonly Counted[]; readonly hasMore: boolean }>>
type Counted = { readonly value: unknown; readonly count: number; readonly entry?: { name?: string } | null }

const facetsOf = (field: string, filter: Filter, seeds: Seeds): Counted[] => {
  const groups = expectedAnswer({ function: 'count', groupBy: [field], filter }, seeds) as {
    group: Record<string, unknown>
    value: number
  }[]
  return groups.map(({ group, value }) => ({ value: group[field], count: value }))
}

async function ask(client: Client, type: string, query: string): Promise<unknown> {
  return dataOf(await client.get(path(type, query)))
}

eachDatabase(({ name: database }) => {
  describe('aggregates of every kind of field', () => {
    let world: ContentWorld
    let seeds: Seeds

    before(async () => {
      world = await startContent(database)
      seeds = await seed(world)
    })
    after(() => world?.stop())

    it('answer what can be worked out by hand', slow, async () => {
      const isRight = async (question: Question) => {
        const answer = await ask(world.admin, 'sample', queryOf(question))
        assert.deepEqual(answer, expectedAnswer(question, seeds), queryOf(question))
      }
      await fc.assert(fc.asyncProperty(questions, isRight), {
        numRuns: 150,
        seed: 20260131,
        includeErrorInReport: true,
      })
    })

    it('keep every digit', async () => {
      assert.deepEqual(await ask(world.admin, 'sample', 'function=max&field=price'), {
        value: '99999999999999999999999999999999999.5',
      })
      const big = 'function=sum&field=big&filters[big][$gt]=9007199254740991'
      const { value } = (await ask(world.admin, 'sample', big)) as { value: string }
      assert.equal(typeof value, 'string')
      assert.ok(BigInt(value) > 2n ** 63n, value)
    })

    it('take what picks entries in lists', async () => {
      const total = (await world.admin.get(`${pathOf('sample')}?filters[twinOf][$notNull]=true`)).body
        .pagination.total
      assert.deepEqual(await ask(world.admin, 'sample', 'function=count&field=twinOf'), { value: total })
      const queries = [
        'search=a',
        'search=text&searchFields=body',
        'filters[tags][name]=red',
        'published=true',
      ]
      for (const query of queries) {
        const { body } = await world.admin.get(`${pathOf('sample')}?${query}&limit=1`)
        assert.deepEqual(await ask(world.admin, 'sample', `function=count&${query}`), {
          value: body.pagination.total,
        })
      }
    })

    it('are null, or 0 for a count, over nothing', async () => {
      const nothing = 'filters[title]=nowhere'
      for (const name of ['sum', 'avg', 'min', 'max']) {
        assert.deepEqual(await ask(world.admin, 'sample', `function=${name}&field=price&${nothing}`), {
          value: null,
        })
      }
      assert.deepEqual(await ask(world.admin, 'sample', `function=count&${nothing}`), { value: 0 })
      assert.deepEqual(await ask(world.admin, 'sample', `function=count&groupBy[]=kind&${nothing}`), [])
    })

    it('have beside them the distinct values of every field, as can be worked out by hand', async () => {
      const filters: Filter[] = [
        {},
        { count: { $gt: '0' } },
        { owner: { age: { $gt: '40' } } },
        { kind: 'red' },
      ]
      for (const filter of filters) {
        const query = `field=${groupable.slice(0, 6)}&${filterQuery(filter)}&limit=100`
        const rest = `${groupable
          .slice(6)
          .map((name) => `field[]=${name}`)
          .join('&')}&${filterQuery(filter)}&limit=100`
        const found = { ...(await distinct(world.admin, query)), ...(await distinct(world.admin, rest)) }
        for (const field of groupable) {
          const expected = facetsOf(field, filter, seeds)
          assert.deepEqual(found[field], { values: expected, hasMore: false }, `${field} ${query}`)
        }
      }
    })

    it('of which distinct values come in pages, in an order of their own', async () => {
      const counted = facetsOf('title', {}, seeds)
      const sorted = (await distinct(world.admin, 'field=title&sort=value&limit=100')).title?.values ?? []
      assert.deepEqual(sorted[0], { value: null, count: 2 })
      assert.deepEqual(new Set(sorted), new Set(counted))
      const back = (await distinct(world.admin, 'field=title&sort=value:desc&limit=100')).title?.values ?? []
      assert.deepEqual(back, [...sorted].reverse())
      for (const [sort, all] of [
        ['count', counted],
        ['value', sorted],
      ] as const) {
        const page = await distinct(world.admin, `field=title&sort=${sort}&limit=5&offset=3`)
        assert.deepEqual(page.title, { values: all.slice(3, 8), hasMore: true })
      }
      assert.deepEqual((await distinct(world.admin, 'field=kind&offset=50')).kind, {
        values: [],
        hasMore: false,
      })
      assert.deepEqual((await distinct(world.admin, 'field=kind&limit=0')).kind, {
        values: [],
        hasMore: true,
      })
      const least = (await distinct(world.admin, 'field=kind&sort=count:asc')).kind?.values ?? []
      assert.deepEqual(
        least.map(({ count }) => count),
        least.map(({ count }) => count).sort((a, b) => a - b),
      )
    })

    it('whose distinct values leave out the filter on themselves if asked to', async () => {
      const filter: Filter = { kind: 'red', isOn: 'true', $or: [{ count: { $gt: '-1' } }] }
      const query = `field=kind,isOn,count&limit=100&${filterQuery(filter)}`
      const own = await distinct(world.admin, query)
      assert.deepEqual(own.kind?.values, facetsOf('kind', filter, seeds))
      const others = await distinct(world.admin, `${query}&ownFilters=false`)
      const { kind, isOn, ...rest } = filter as Record<string, Filter>
      assert.deepEqual(others.kind?.values, facetsOf('kind', { isOn, ...rest } as Filter, seeds))
      assert.deepEqual(others.isOn?.values, facetsOf('isOn', { kind, ...rest } as Filter, seeds))
      assert.deepEqual(others.count?.values, facetsOf('count', filter, seeds))
      const created = 'field=created_at&filters[createdAt][$lt]=2020-01-01'
      assert.deepEqual((await distinct(world.admin, created)).created_at?.values, [])
      assert.notDeepEqual((await distinct(world.admin, `${created}&ownFilters=false`)).created_at?.values, [])
    })

    it('whose distinct ids show the entries that they lead to', async () => {
      const { owner, tags } = await distinct(
        world.admin,
        'field=owner,tags&populate[owner][fields]=name&populate[owner][populate]=boss&populate[tags]=true',
      )
      for (const { value, entry } of owner?.values ?? []) {
        const person = seeds.people.find(({ id }) => id === value)
        if (person === undefined) assert.deepEqual([value, entry], [null, undefined])
        else
          assert.deepEqual(
            [entry?.name, Object.keys(entry ?? {}).sort()],
            [person.name, ['boss', 'id', 'name']],
          )
      }
      for (const { value, entry } of tags?.values ?? []) {
        assert.equal(entry?.name, seeds.tags.find(({ id }) => id === value)?.name)
      }
      const plain = await distinct(world.admin, 'field=owner,kind&populate=owner')
      assert.equal(plain.owner?.values.filter(({ entry }) => entry?.name !== undefined).length, 4)
    })
  })

  describe('aggregates for different callers', () => {
    const world = useContent(database)
    let publicReader: Client
    const people = [
      { name: 'Ada', age: 10 },
      { name: 'Bea', age: 200 },
      { name: 'Cid', age: 3000 },
    ]

    before(async () => {
      const [ada, bea, cid] = await createAll(world.admin, 'person', people)
      dataOf(await world.admin.put(pathOf('person', `${ada?.id}/publish`), {}))
      dataOf(
        await world.admin.put(pathOf('person', `${bea?.id}/publish`), {
          publishedAt: '2999-01-01T00:00:00Z',
        }),
      )
      for (const person of [ada, bea, cid]) {
        await create(world.admin, 'sample', { title: 'x', count: 1, owner: person?.id })
        dataOf(await world.admin.put(pathOf('person', Number(person?.id)), { friends: [bea?.id, ada?.id] }))
      }
      await allow(world, 'authenticated', {
        person: { read: true },
        sample: { read: true },
        memo: { read: true },
      })
      publicReader = await signUp(world, 'reader')
    })

    it('show drafts to those who see them only', async () => {
      const sums = async (client: Client, more = '') =>
        ((await ask(client, 'person', `function=sum&field=age${more}`)) as { value: number }).value
      assert.equal(await sums(world.admin), 3210)
      assert.equal(await sums(publicReader), 10)
      assert.equal(await sums(publicReader, '&published=true'), 10)
      assert.equal(await sums(world.admin, '&published=true'), 10)
      assert.equal(await sums(world.admin, '&published=false'), 3200)
      assert.equal(await sums(await withScopes(world, 'content:read')), 10)
      assert.equal(await sums(await withScopes(world, 'content:read', 'content:write')), 3210)
    })

    it('put what points at hidden entries together with what points at none', async () => {
      const groups = (client: Client, query: string) => ask(client, 'sample', query)
      const [ada] = (await publicReader.get(pathOf('person'))).body.data
      assert.deepEqual(await groups(publicReader, 'function=count&groupBy[]=owner'), [
        { group: { owner: null }, value: 2 },
        { group: { owner: ada.id }, value: 1 },
      ])
      assert.deepEqual(await groups(publicReader, 'function=count&field=owner'), { value: 1 })
      assert.deepEqual(await groups(world.admin, 'function=count&field=owner'), { value: 3 })
      assert.deepEqual(await ask(publicReader, 'person', 'function=sum&field=age&groupBy[]=friends'), [
        { group: { friends: ada.id }, value: 10 },
      ])
    })

    it('give the distinct values that the caller may see', async () => {
      const [ada] = (await publicReader.get(pathOf('person'))).body.data
      const facets = await distinct(publicReader, 'field=owner,count&populate=owner')
      const [none, one] = facets.owner?.values ?? []
      assert.deepEqual(
        [none, one?.value, one?.count, one?.entry?.name],
        [{ value: null, count: 2 }, ada.id, 1, 'Ada'],
      )
      assert.deepEqual(await distinct(publicReader, 'field=age', 'person'), {
        age: { values: [{ value: 10, count: 1 }], hasMore: false },
      })
      const friends = (await distinct(publicReader, 'field=friends', 'person')).friends?.values
      assert.deepEqual(friends, [{ value: ada.id, count: 1 }])
      const ids = (await distinct(world.admin, 'field=owner')).owner?.values ?? []
      assert.deepEqual(
        ids.map(({ count }) => count),
        [1, 1, 1],
      )
      for (const query of [
        'field=tags',
        'field=nothing,tags',
        'field=title&filters[tags][name]=x',
        'field=owner&populate[owner][populate]=samples.tags',
        'field=title&filters[tags][name]=x&ownFilters=false',
        'field=title&published=false&deleted=true',
      ]) {
        const { status } = await publicReader.get(`${pathOf('sample', 'distinct')}?${query}`)
        assert.equal(status, 403, query)
      }
      assert.equal((await world.anonymous.get(`${pathOf('sample', 'distinct')}?field=title`)).status, 401)
    })

    it('are refused as lists are', async () => {
      const refusal = async (client: Client, type: string, query: string) =>
        (await client.get(path(type, query))).status
      assert.equal(await refusal(world.anonymous, 'sample', 'function=count'), 401)
      assert.equal(await refusal(publicReader, 'tag', 'function=count'), 403)
      assert.equal(await refusal(publicReader, 'tag', 'function=nonsense&field=nothing'), 403)
      assert.equal(await refusal(publicReader, 'sample', 'function=count&filters[tags][name]=x'), 403)
      assert.equal(await refusal(publicReader, 'person', 'function=count&published=false'), 403)
      assert.equal(await refusal(publicReader, 'memo', 'function=count&deleted=true'), 403)
      assert.equal(await refusal(await withScopes(world, 'media:read'), 'sample', 'function=count'), 403)
    })

    it('leave soft-deleted entries out', async () => {
      const [kept, gone] = await createAll(world.admin, 'memo', [{ title: 'kept' }, { title: 'gone' }])
      await create(world.admin, 'memo', { title: 'follows', previous: gone?.id })
      dataOf(await world.admin.delete(pathOf('memo', Number(gone?.id))))
      assert.deepEqual(await ask(publicReader, 'memo', 'function=max&field=title'), { value: kept?.title })
      assert.deepEqual(await ask(publicReader, 'memo', 'function=count&field=previous'), { value: 0 })
      assert.deepEqual(await ask(world.admin, 'memo', 'function=count&deleted=true'), { value: 1 })
    })
  })
})

describe('the parameters of aggregates', () => {
  const world = useContent('sqlite')
  const refused = async (query: string, type = 'sample') =>
    problemsIn(await world.admin.get(path(type, query)))

  it('are refused with all problems at once', async () => {
    assert.deepEqual(
      await refused('function=median&field=nothing&groupBy[]=seo&filters[nowhere]=1&limit=3'),
      ['function enum', 'field unknown', 'groupBy type', 'limit unknown', 'filters.nowhere unknown'],
    )
  })

  it('must fit the fields', async () => {
    assert.deepEqual(await refused(''), ['function required'])
    assert.deepEqual(await refused('function=sum'), ['field required'])
    for (const field of [
      'title',
      'isOn',
      'day',
      'seenAt',
      'kind',
      'data',
      'owner',
      'tags',
      'seo',
      'blocks',
      'cover',
    ]) {
      assert.deepEqual(await refused(`function=sum&field=${field}`), ['field type'], field)
      assert.deepEqual(await refused(`function=avg&field=${field}`), ['field type'], field)
    }
    for (const field of ['data', 'owner', 'tags', 'twinOf', 'seo', 'blocks', 'gallery']) {
      assert.deepEqual(await refused(`function=max&field=${field}`), ['field type'], field)
    }
    for (const field of ['data', 'twinOf', 'seo', 'links', 'blocks']) {
      assert.deepEqual(await refused(`function=count&groupBy[]=${field}`), ['groupBy type'], field)
    }
    for (const field of [
      'constructor',
      '__proto',
      'toString',
      'id"',
      'published_at',
      "'; drop table sample; --",
      '',
    ]) {
      const query = `function=max&field=${encodeURIComponent(field)}&groupBy[]=${encodeURIComponent(field)}`
      assert.deepEqual(await refused(query), ['field unknown', 'groupBy unknown'], field)
    }
    assert.deepEqual(await refused('function=count&field[a]=1&groupBy[a][b]=2'), [
      'field unknown',
      'groupBy unknown',
    ])
    const many = ['title', 'code', 'body', 'count', 'big', 'price'].map((name) => `groupBy[]=${name}`)
    assert.deepEqual(await refused(`function=count&${many.join('&')}`), ['groupBy maxItems'])
    assert.deepEqual(await refused('function=sum&field=created_at', 'plain'), ['field unknown'])
  })

  it('take aliases, lists with commas and the type’s own routes', async () => {
    await create(world.admin, 'sample', { title: 'one', count: 2 })
    const groups = await ask(world.admin, 'sample', 'function=count&groupBy=kind,isOn')
    assert.deepEqual(groups, [{ group: { kind: null, isOn: null }, value: 1 }])
    const { value } = (await ask(world.admin, 'sample', 'function=max&field=createdAt')) as { value: string }
    assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal((await world.admin.get(path('nothing', 'function=count'))).status, 404)
    assert.equal((await world.admin.get(path('media', 'function=count'))).status, 404)
    assert.deepEqual(await ask(world.admin, 'home', 'function=count'), { value: 0 })
  })

  it('are as strict for distinct values', async () => {
    const wrong = async (query: string) =>
      problemsIn(await world.admin.get(`${pathOf('sample', 'distinct')}?${query}`))
    assert.deepEqual(
      await wrong('sort=size&limit=-1&offset=x&ownFilters=perhaps&filters[nowhere]=1&groupBy=kind'),
      [
        'field required',
        'sort enum',
        'limit type',
        'offset type',
        'ownFilters type',
        'groupBy unknown',
        'filters.nowhere unknown',
      ],
    )
    for (const [query, problem] of [
      ['field=data', 'field type'],
      ['field=seo', 'field type'],
      ['field=twinOf', 'field type'],
      ['field=constructor', 'field unknown'],
      ['field[a]=1', 'field unknown'],
      [`field=${Array.from({ length: 11 }, (_, at) => `a${at}`)}`, 'field maxItems'],
      ['field=kind&populate=owner', 'populate unknown'],
      ['field=kind&populate=kind', 'populate unknown'],
      ['field=kind&sort=value:up', 'sort enum'],
      ['field=kind&sort[a]=1', 'sort enum'],
      ['field=kind&populate[0][a]=1', 'populate type'],
      ['field=owner&populate=*', 'populate unknown'],
      ['field=owner&populate[owner][nothing]=1', 'populate.owner.nothing unknown'],
      ['field=kind&filters=x&ownFilters=false', 'filters type'],
    ] as const) {
      assert.ok((await wrong(query)).includes(problem), `${query} ${await wrong(query)}`)
    }
    const heavy = Array.from({ length: 30 }, (_, at) => `filters[$or][${at}][body][$containsi]=x${at}`).join(
      '&',
    )
    dataOf(await world.admin.get(`${pathOf('sample', 'distinct')}?field=kind&${heavy}`))
    assert.deepEqual(await wrong(`field=kind,isOn,count&${heavy}`), ['filters maxWeight'])
    assert.equal((await world.admin.get(`${pathOf('sample', 'distinct')}?field=kind&x=%E0%A4`)).status, 400)
  })

  it('answer at most 1,000 groups', slow, async () => {
    const titles = Array.from({ length: 1_005 }, (_, index) => ({ title: `title ${index}` }))
    for (let first = 0; first < titles.length; first += 201) {
      await Promise.all(titles.slice(first, first + 201).map((data) => create(world.admin, 'plain', data)))
    }
    await create(world.admin, 'plain', { title: 'title 77' })
    const groups = (await ask(world.admin, 'plain', 'function=count&groupBy[]=title')) as unknown[]
    assert.equal(groups.length, 1_000)
    assert.deepEqual(groups[0], { group: { title: 'title 77' }, value: 2 })
  })
})

describe('without the plugin', () => {
  it('there is no such route', async () => {
    const service = await startService({ env: { SVC_PLUGINS_DISABLED: 'aggregate' } })
    const answer = await service.admin.get(path('article', 'function=count'))
    const distinct = await service.admin.get('/api/content/article/distinct?field=title')
    await service.stop()
    assert.deepEqual([answer.status, distinct.status], [404, 404])
  })
})
