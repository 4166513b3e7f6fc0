import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { type Filter, filterQuery, satisfies } from './content-oracle.ts'
import { type Seeds, seed } from './content-seeds.ts'
import { listIds, pathOf, problemsIn, useContent } from './content-world.ts'

const textOperators = [
  '$eq',
  '$eqi',
  '$ne',
  '$nei',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$in',
  '$notIn',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
  '$null',
  '$notNull',
  '$between',
]
const otherOperators = [
  '$eq',
  '$ne',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$in',
  '$notIn',
  '$null',
  '$notNull',
  '$between',
]
const booleanOperators = ['$eq', '$ne', '$in', '$null', '$notNull']

/** What these find follows from others; all operators come together in random filters. */
const derived = new Set(['$null', '$notNull', '$ne', '$nei', '$notIn', '$notContains', '$notContainsi'])

const texts = [
  'ß',
  'SS',
  'İ',
  'i',
  'σ',
  'ΟΔΌΣ',
  'e\u0301',
  'ǆ',
  'k',
  'alpha',
  'ALPHA',
  'Alpha',
  'ä',
  'Ä',
  'a',
  'A',
  '%',
  '_',
  '\\',
  '0%',
  'a_b',
  'Αθή',
  'αΘΉ',
  'москва',
  '日',
  '🎈',
  '\uffee',
  'trailing',
  'trailing ',
  '',
  ' ',
  '0',
  'null',
  "'",
  '--',
  'zzz',
  'red',
  'Grace %_\\',
  'é',
  'É',
]
const values: Readonly<Record<string, readonly string[]>> = {
  title: texts,
  body: texts,
  name: texts,
  mail: ['sample0@example.com', 'SAMPLE1@example.com', '@', 'x'],
  kind: ['red', 'green', 'Blue'],
  count: ['5', '-5', '0', '999', '-1000', '9007199254740991'],
  age: ['36', '0', '85'],
  big: ['-9223372036854775808', '9223372036854775807', '9007199254740993', '9007199254740992', '0', '7'],
  price: [
    '0.1',
    '0.10',
    '0.100000000000000000000000000001',
    '99999999999999999999999999999999999.5',
    '0',
    '-12345678.5',
    '9.5',
    '9',
    '10.00',
  ],
  isOn: ['true', 'false'],
  day: ['2024-02-29', '0001-01-01', '2026-01-31', '9999-12-31'],
  seenAt: [
    '2026-01-31T08:00:00.000Z',
    '2026-01-31T08:00:00.001Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ],
  id: ['1', '2', '5', '26', '999999'],
}

function operatorsOf(field: string): readonly string[] {
  if (field === 'isOn') return booleanOperators
  const isText = ['title', 'body', 'name', 'mail', 'kind'].includes(field)
  return isText ? textOperators : otherOperators
}

function operand(field: string, operator: string): fc.Arbitrary<string | string[]> {
  const one = fc.constantFrom(...(values[field] ?? []))
  if (operator === '$null' || operator === '$notNull') return fc.constantFrom('true', 'false')
  if (operator === '$between') return fc.tuple(one, one)
  if (operator === '$in' || operator === '$notIn') return fc.array(one, { minLength: 1, maxLength: 3 })
  return one
}

function fieldFilter(field: string): fc.Arbitrary<Filter> {
  const operators = fc
    .constantFrom(...operatorsOf(field))
    .chain((operator) => operand(field, operator).map((value): Filter => ({ [operator]: value })))
  const negated = operators.map((filter): Filter => ({ $not: filter }))
  return fc.oneof({ weight: 5, arbitrary: operators }, negated).map((filter): Filter => ({ [field]: filter }))
}

/** Conditions on the id of what a relation leads to, without naming it: `filters[owner][$eq]=7`. */
const byId = fieldFilter('id').map(({ id }) => id as Filter)

const { filter: sampleFilters } = fc.letrec<{ filter: Filter; person: Filter; tag: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .constantFrom('title', 'body', 'mail', 'kind', 'count', 'big', 'price', 'isOn', 'day', 'seenAt', 'id')
      .chain(fieldFilter),
    groupsOf(tie('filter')),
    fc.oneof(tie('person'), byId).map((owner): Filter => ({ owner })),
    fc.oneof(tie('tag'), byId).map((tags): Filter => ({ tags })),
    fc.oneof(tie('filter'), byId).map((twin): Filter => ({ twin })),
    fc.oneof(tie('filter'), byId).map((twinOf): Filter => ({ twinOf })),
  ),
  person: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('name', 'age', 'id').chain(fieldFilter),
    groupsOf(tie('person')),
    fc.oneof(tie('person'), byId).map((boss): Filter => ({ boss })),
    fc.oneof(tie('person'), byId).map((friends): Filter => ({ friends })),
    fc.oneof(tie('person'), byId).map((staff): Filter => ({ staff })),
  ),
  tag: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fieldFilter('name'), groupsOf(tie('tag'))),
}))

function groupsOf(filters: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> {
  const lists = fc.array(filters, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    lists.map(($and): Filter => ({ $and })),
    lists.map(($or): Filter => ({ $or })),
    filters.map(($not): Filter => ({ $not })),
  )
}

function depthOf(filter: unknown): number {
  if (typeof filter !== 'object' || filter === null) return 0
  return 1 + Math.max(0, ...Object.values(filter).map(depthOf))
}

eachDatabase((database) => {
  const world = useContent(database.name)
  let seeds: Seeds

  before(async () => {
    seeds = await seed(world)
  })

  async function assertFound(filter: Filter): Promise<void> {
    const found = await listIds(world.admin, 'sample', `?limit=100&fields=id&${filterQuery(filter)}`)
    const expected = seeds.samples.filter((entry) => satisfies(entry, filter, seeds)).map(({ id }) => id)
    assert.deepEqual(found, expected, JSON.stringify(filter))
  }

  describe('a filter', () => {
    for (const field of ['title', 'mail', 'count', 'big', 'price', 'isOn', 'day', 'seenAt', 'kind', 'id']) {
      it(`finds by every comparison with ${field} what it should`, slow, async () => {
        for (const operator of operatorsOf(field).filter((name) => !derived.has(name))) {
          for (const value of values[field] ?? []) {
            await assertFound({ [field]: { [operator]: operator === '$between' ? [value, value] : value } })
          }
        }
        await assertFound({ [field]: { $null: 'true' } })
        await assertFound({ [field]: { $null: 'false' } })
        await assertFound({ [field]: { $notNull: 'true' } })
      })
    }

    it('finds what it should, however it is put together', async () => {
      const filters = sampleFilters.filter((filter) => depthOf(filter) < 9)
      await fc.assert(fc.asyncProperty(filters, assertFound), { numRuns: 100 })
    })

    it('takes a value alone for $eq, several for $in, and lists in any form', async () => {
      const [first, second] = seeds.samples.map(({ id }) => id)
      const found = (query: string) => listIds(world.admin, 'sample', `?fields=id&${query}`)
      assert.deepEqual(await found('filters[title]=Alpha'), [first])
      for (const query of [
        `filters[id][$in]=${first},${second}`,
        `filters[id][$in][]=${first}&filters[id][$in][]=${second}`,
        `filters[id][$in][0]=${first}&filters[id][$in][1]=${second}`,
        `filters[id][$in]=${first}&filters[id][$in]=${second}`,
        `filters[id][0]=${first}&filters[id][1]=${second}`,
        `filters[id][$between]=${first},${second}`,
        `filters[$or][0][id]=${first}&filters[$or][1][id]=${second}`,
        `filters[$or][][id]=${first}&filters[$or][][id]=${second}`,
      ]) {
        assert.deepEqual(await found(query), [first, second], query)
      }
    })

    it('takes the aliases of system fields', async () => {
      const { length } = seeds.samples
      for (const field of ['created_at', 'createdAt', 'updated_at', 'updatedAt']) {
        assert.equal(
          (await listIds(world.admin, 'sample', `?limit=100&filters[${field}][$gt]=2020-01-01`)).length,
          length,
        )
        assert.equal(
          (await listIds(world.admin, 'sample', `?limit=100&filters[${field}][$lt]=2020-01-01`)).length,
          0,
        )
      }
      const published = await listIds(world.admin, 'person', '?filters[publishedAt][$notNull]=true')
      assert.deepEqual(
        published,
        seeds.people.slice(0, 2).map(({ id }) => id),
      )
    })

    it('is refused where it names no field or operator, or has a value that does not fit', async () => {
      const bad = [
        'filters[nothing]=1',
        'filters[title][$like]=x',
        'filters[title][$eq][$eq]=x',
        'filters=x',
        'filters[]=x',
        'filters[$title]=x',
        'filters[$and]=x',
        'filters[$or][title]=x&filters[$or][0]=y',
        'filters[$not]=x',
        'filters[__proto__]=x',
        'filters[constructor]=x',
        'filters[toString][$eq]=x',
        'filters[title][constructor]=x',
        'filters[count]=x',
        'filters[count]=1.5',
        'filters[count]=',
        'filters[count]=1e3',
        'filters[count]=99999999999999999999',
        'filters[count][$contains]=1',
        'filters[isOn]=yes',
        'filters[isOn][$containsi]=t',
        'filters[big]=9223372036854775808',
        'filters[price]=x',
        'filters[price]=1e5',
        'filters[price]=Infinity',
        'filters[day]=2026-02-30',
        'filters[day]=today',
        'filters[seenAt]=yesterday',
        'filters[kind]=yellow',
        'filters[data]=null',
        'filters[seo]=x',
        'filters[links]=x',
        'filters[id]=x',
        'filters[id][$in]=1,x',
        'filters[owner]=x',
        'filters[owner][name][$near]=x',
        'filters[owner][nothing]=x',
        'filters[tags][name][samples]=x',
        'filters[title][$null]=maybe',
        'filters[title][$null][a]=1',
        'filters[title][$between]=a',
        'filters[count][$between]=1,2,3',
        'filters[title][$in][0][a]=x',
        'filters[owner][email]=x',
        'filters[title][$eq]=a%00b',
        'filters[owner][$null][$eq]=1',
        'filters[title][$not]=x&filters[count]=x',
        'filters[gallery][formats]=null',
      ]
      for (const query of bad) problemsIn(await world.admin.get(`${pathOf('sample')}?${query}`))
    })

    it('tells all of its problems', async () => {
      const answer = await world.admin.get(
        `${pathOf('sample')}?filters[nothing]=1&filters[count]=x&sort=data&limit=x`,
      )
      assert.equal(problemsIn(answer).length, 4)
    })

    it('may not go on for ever', async () => {
      const nested = (depth: number, key: string) => `filters${key.repeat(depth)}[title]=x`
      for (const key of ['[$not]', '[$and][0]', '[twin]', '[tags][samples]']) {
        problemsIn(await world.admin.get(`${pathOf('sample')}?${nested(50, key)}`))
      }
      for (const place of ['', '[tags]', '[tags][samples]']) {
        const part = (index: number) => `filters${place}[$or][${index}][id]=${index}`
        const wide = Array.from({ length: 800 }, (_, index) => part(index)).join('&')
        const { status } = await world.admin.get(
          `${pathOf('sample')}?${wide.slice(0, wide.lastIndexOf('&', 16_000))}`,
        )
        assert.ok(status === 200 || status === 400, `${place} ${status}`)
      }
    })

    it('cannot look into what is not for everybody', async () => {
      for (const field of ['passwordHash', 'email', 'tokenVersion']) {
        problemsIn(await world.admin.get(`${pathOf('sample')}?filters[owner][${field}][$notNull]=true`))
      }
    })
  })
})
