import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService } from '../support/service.ts'
import { expectedAnswer, type Question } from './aggregate-oracle.ts'
import { filterQuery } from './content-oracle.ts'
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

    it('answer what can be worked out by hand', async () => {
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

  it('answer at most 1,000 groups', async () => {
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
    await service.stop()
    assert.equal(answer.status, 404)
  })
})
