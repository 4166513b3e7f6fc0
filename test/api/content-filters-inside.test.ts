import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { seedInside, startInside } from './content-inside-world.ts'
import { type Filter, filterQuery, satisfies } from './content-oracle.ts'
import type { Seeds } from './content-seeds.ts'
import { allow, type Entry, listIds, problemsIn } from './content-world.ts'

const comparing = [
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
const aboutTexts = [
  ...comparing,
  ...['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$notContainsi'],
  ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
]
const aboutEquality = ['$eq', '$ne', '$in', '$null', '$notNull']

const texts = ['alpha', 'Alpha', 'ä', 'Äpfel', '%', '', 'trailing', 'trailing ', '3', "'", '🎈', 'zzz']
const values: Readonly<Record<string, readonly string[]>> = {
  text: texts,
  body: texts,
  name: ['Ada', 'ada', 'A', 'Grace'],
  kind: ['red', 'green'],
  count: ['5', '-5', '0', '9007199254740991'],
  big: ['9223372036854775807', '-9223372036854775808', '9007199254740993', '9007199254740992', '7'],
  price: ['0.1', '0.10', '0.100000000000000000000000000001', '99999999999999999999.5', '0.0000001', '9'],
  isOn: ['true', 'false'],
  day: ['2024-02-29', '0001-01-01', '2026-01-31'],
  seenAt: ['2026-01-31T08:00:00.000Z', '2026-01-31T08:00:00.001Z', '0001-01-01T00:00:00.000Z'],
  id: ['1', '2', '3', '99'],
}

const jsonValues = [
  ...[
    '3',
    '"3"',
    '3.5',
    'true',
    '"true"',
    'false',
    'alpha',
    'Äpfel',
    'äpfel ',
    '',
    '1e21',
    '1e-7',
    '-1',
    '0.1',
  ],
  ...['9007199254740992', '9007199254740993', '12345678901234567000', '007', '"', 'null ', '1'],
]
const jsonKeys = ['height', 'a.b', '*', 'é', 'a b', "it's", 'x{y,z}', 'deep', 'constructor', 'toString']

function operand(one: fc.Arbitrary<string>, operator: string): fc.Arbitrary<string | string[]> {
  if (operator === '$null' || operator === '$notNull') return fc.constantFrom('true', 'false')
  if (operator === '$between') return fc.tuple(one, one)
  if (operator === '$in' || operator === '$notIn') return fc.array(one, { minLength: 1, maxLength: 3 })
  return one
}

function conditions(operators: readonly string[], one: fc.Arbitrary<string>): fc.Arbitrary<Filter> {
  const plain = fc
    .constantFrom(...operators)
    .chain((operator) => operand(one, operator).map((value): Filter => ({ [operator]: value })))
  return fc.oneof(
    { weight: 5, arbitrary: plain },
    plain.map((filter): Filter => ({ $not: filter })),
  )
}

function fieldFilter(field: string): fc.Arbitrary<Filter> {
  const isText = ['text', 'body', 'name', 'kind'].includes(field)
  const operators = field === 'isOn' ? aboutEquality : isText ? aboutTexts : comparing
  return conditions(operators, fc.constantFrom(...(values[field] ?? []))).map(
    (filter): Filter => ({ [field]: filter }),
  )
}

/** Both bounds have one type: anything else is refused. */
const isJsonComparison = (filter: Filter): boolean =>
  Object.entries(filter).every(([key, value]) => {
    if (key === '$not') return isJsonComparison(value as Filter)
    const types = [value].flat().map((each) => typeOf(String(each)))
    if (key === '$between') return types[0] === types[1] && types[0] !== 'boolean'
    return !['$lt', '$lte', '$gt', '$gte'].includes(key) || types[0] !== 'boolean'
  })

function typeOf(text: string): string {
  if (text === 'true' || text === 'false') return 'boolean'
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/.test(text) ? 'number' : 'text'
}

const jsonFilter = fc
  .tuple(
    fc.constantFrom(...jsonKeys),
    fc.option(fc.constantFrom('er', 'x')),
    conditions(aboutTexts, fc.constantFrom(...jsonValues)).filter(isJsonComparison),
  )
  .map(([key, inner, about]): Filter => ({ facts: { [key]: inner === null ? about : { [inner]: about } } }))

const wholeJson = conditions(aboutTexts, fc.constantFrom(...jsonValues))
  .filter(isJsonComparison)
  .map((facts): Filter => ({ facts }))

/** Across the antimeridian, around a pole, of nothing and of everything. */
const areas: readonly Filter[] = [
  { $near: '47.3769,8.5417,0' },
  { $near: '47.3769,8.5417,5000' },
  { $near: '-17.75,179.9,200000' },
  { $near: '0,180,1' },
  { $near: '89,60,300000' },
  { $near: '-89.99,0,2000' },
  { $near: '10,10,20020000' },
  { $within: '-18,178,-17,-179' },
  { $within: '45.8,5.9,47.8,10.5' },
  { $within: '-90,-180,90,180' },
  { $within: '-1,170,1,180' },
  { $within: '-1,-180,1,-170' },
  { $within: '80,-130,90,10' },
  { $within: '47,8,48,8.3,48,9,47,9.2' },
  { $within: '-20,177,-15,178.5,-17,-179,-19,-178' },
  { $within: '-10,-10,-10,10,10,0' },
]
const placeFilter = fc
  .oneof(
    { weight: 5, arbitrary: fc.constantFrom(...areas) },
    fc.constantFrom<Filter>({ $null: 'true' }, { $notNull: 'true' }),
    fc.constantFrom(...areas).map(($not): Filter => ({ $not })),
  )
  .map((place): Filter => ({ place }))

const groupsOf = (filters: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> => {
  const lists = fc.array(filters, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    lists.map(($and): Filter => ({ $and })),
    lists.map(($or): Filter => ({ $or })),
    filters.map(($not): Filter => ({ $not })),
  )
}

const presence = fc.constantFrom<Filter>({ $null: 'true' }, { $notNull: 'true' }, { $null: 'false' })

const { filter } = fc.letrec<{ filter: Filter; card: Filter; note: Filter }>((tie) => {
  const partly = (of: fc.Arbitrary<Filter>) =>
    fc.oneof(
      { weight: 6, arbitrary: of },
      presence,
      of.map(($not): Filter => ({ $not })),
    )
  const both = (of: fc.Arbitrary<Filter>) =>
    fc.tuple(of, of).map(([left, right]): Filter => ({ ...left, ...right }))
  return {
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      jsonFilter,
      wholeJson,
      placeFilter,
      groupsOf(jsonFilter.map(({ facts }) => facts as Filter)).map((facts): Filter => ({ facts })),
      groupsOf(tie('filter')),
      partly(tie('card')).map((card): Filter => ({ card })),
      partly(both(tie('card'))).map((cards): Filter => ({ cards })),
      partly(tie('card').map((card): Filter => ({ 'test.card': card }))).map((zone): Filter => ({ zone })),
      partly(tie('note').map((note): Filter => ({ 'test.note': note }))).map((zone): Filter => ({ zone })),
    ),
    card: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .constantFrom('text', 'body', 'count', 'big', 'price', 'isOn', 'day', 'seenAt', 'kind')
        .chain(fieldFilter),
      jsonFilter,
      placeFilter,
      groupsOf(tie('card')),
      fc.oneof(fieldFilter('name'), fieldFilter('id'), presence).map((person): Filter => ({ person })),
      fc.oneof(fieldFilter('name'), fieldFilter('id'), presence).map((tags): Filter => ({ tags })),
      partly(tie('note')).map((inner): Filter => ({ inner })),
      partly(tie('note')).map((notes): Filter => ({ notes })),
    ),
    note: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('text', 'count').chain(fieldFilter),
      groupsOf(tie('note')),
    ),
  }
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

const path = '/api/content/sheet'

eachDatabase((database) => {
  let service: TestService
  let seeds: Seeds

  before(async () => {
    service = await startInside(database.name)
    seeds = await seedInside(service.admin)
  })
  after(() => service?.stop())

  const found = (query: string) => listIds(service.admin, 'sheet', `?limit=100&fields=id&${query}`)

  async function assertFound(wanted: Filter): Promise<void> {
    const expected = seeds.samples.filter((entry) => satisfies(entry, wanted, seeds)).map(({ id }) => id)
    assert.deepEqual(await found(filterQuery(wanted)), expected, JSON.stringify(wanted))
  }

  describe('a filter into components, zones and JSON', () => {
    for (const [field, each] of Object.entries(values).filter(([name]) => name !== 'name' && name !== 'id')) {
      it(`finds by every comparison with ${field} what it should`, slow, async () => {
        const isText = ['text', 'body', 'kind'].includes(field)
        const holders = [(card: Filter): Filter => ({ card }), (cards: Filter): Filter => ({ cards })]
        for (const operator of field === 'isOn' ? ['$eq'] : isText ? aboutTexts : comparing) {
          for (const [at, value] of (operator.endsWith('ull') ? ['true', 'false'] : each).entries()) {
            const about = { [field]: { [operator]: operator === '$between' ? [value, value] : value } }
            await assertFound(holders[at % 2]?.(about) ?? {})
          }
        }
      })
    }

    it('finds points where they are', async () => {
      for (const place of areas) {
        await assertFound({ place })
        await assertFound({ card: { place } })
        await assertFound({ cards: { place } })
      }
      const corners = Array.from({ length: 50 }, (_, at) => {
        const angle = (at / 50) * 2 * Math.PI
        const lng = 179 + 3 * Math.cos(angle)
        return [-17 + 3 * Math.sin(angle), lng > 180 ? lng - 360 : lng].map((each) => each.toFixed(5))
      })
      await assertFound({ place: { $within: corners.join() } })
    })

    it('takes lists without items for nothing', async () => {
      const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
      const within = (entry: Entry, path: string) =>
        path.split('.').reduce<unknown>((value, name) => (value as Entry | null)?.[name] ?? null, entry)
      for (const path of ['cards', 'zone', 'card.notes', 'card']) {
        // What is not there has no lists in it.
        const holders = seeds.samples.filter(({ card }) => card !== null || path !== 'card.notes')
        const [nothing, something] = [true, false].map((wanted) =>
          holders.filter((entry) => isEmpty(within(entry, path)) === wanted).map(({ id }) => id),
        )
        assert.ok(nothing?.length && something?.length, path)
        const field = `filters[${path.replace('.', '][')}]`
        assert.deepEqual(await found(`${field}[$null]=true`), nothing, path)
        assert.deepEqual(await found(`${field}[$null]=false`), something, path)
        assert.deepEqual(await found(`${field}[$notNull]=true`), something, path)
        const { body } = await service.admin.get(
          `/api/content/sheet/aggregate?function=count&${field}[$null]=true`,
        )
        assert.equal(body.data.value, nothing.length, path)
        if (path.includes('.')) continue
        const set = await service.admin.get(`/api/content/sheet/aggregate?function=count&field=${path}`)
        assert.equal(set.body.data.value, something.length, path)
      }
    })

    it('compares what is in JSON by its type', slow, async () => {
      for (const key of jsonKeys) {
        for (const operator of aboutTexts.filter((name) => !name.endsWith('ull'))) {
          for (const value of jsonValues) {
            const about = { [operator]: operator === '$between' ? [value, value] : value }
            if (key !== 'height' && operator !== '$eq') continue
            if (isJsonComparison(about)) await assertFound({ facts: { [key]: about } })
          }
        }
        for (const value of ['true', 'false']) {
          await assertFound({ facts: { [key]: { $null: value } } })
          await assertFound({ facts: { [key]: { $notNull: value } } })
        }
      }
    })

    it('finds what it should, however it is put together', slow, async () => {
      await fc.assert(
        fc.asyncProperty(
          filter.filter((each) => depthOf(each) < 9 && filterQuery(each).length < 15_000),
          assertFound,
        ),
        { numRuns: 250 },
      )
    })

    it('is refused where it names nothing, or has a value that does not fit', async () => {
      const bad = [
        'filters[card]=x',
        'filters[card][nothing]=x',
        'filters[card][$eq]=x',
        'filters[card][text][$near]=x',
        'filters[card][count]=x',
        'filters[card][count][$contains]=1',
        'filters[card][day]=today',
        'filters[card][constructor]=x',
        'filters[card][id]=1',
        'filters[card][inner]=x',
        'filters[card][inner][nothing]=x',
        'filters[card][person][nothing]=x',
        'filters[card][tags][name][samples]=x',
        'filters[cards][0][text]=x',
        'filters[zone]=x',
        'filters[zone][text]=x',
        'filters[zone][test.other][text]=x',
        'filters[zone][test.card]=x',
        'filters[zone][$or][0][test.card][text]=x',
        'filters[zone][__component]=test.card',
        'filters[facts][height][$near]=3',
        'filters[facts][height]=null',
        'filters[facts][height][$gt]=true',
        'filters[facts][height][$between]=1,x',
        'filters[facts][height][$between]=1',
        'filters[facts][height][$eq][a]=3',
        'filters[facts][height][$or][0]=3',
        'filters[facts][$and]=3',
        'filters[facts][0][x]=3',
        'filters[facts][1000][x]=3',
        'filters[facts][-1][x]=3',
        'filters[facts][a%22b]=3',
        'filters[facts][a%5Cb]=3',
        'filters[facts][a%0Ab]=3',
        `filters[facts][${'a'.repeat(300)}]=3`,
        `filters[facts]${'[a]'.repeat(11)}=3`,
        'filters[facts][__proto__]=3',
        'filters[facts][height]=1e999',
        `filters[facts][height][$in]=${'1,'.repeat(200)}1`,
        `filters[card][text][$in]=${'1,'.repeat(1_100)}1`,
        'filters[place]=x',
        'filters[place][$eq]=1,2',
        'filters[place][$near]=x',
        'filters[place][$near]=1,2',
        'filters[place][$near]=1,2,-3',
        'filters[place][$near]=91,2,3',
        'filters[place][$near]=1,181,3',
        'filters[place][$near]=1,2,1e3',
        'filters[place][$near][lat]=1',
        'filters[place][$within]=1,2,3',
        'filters[place][$within]=1,2,3,4,5',
        'filters[place][$within]=2,2,1,4',
        'filters[place][$within]=0,0,91,0',
        'filters[place][$within]=80,0,80,120,80,-120',
        `filters[place][$within]=${'1,2,'.repeat(50)}1,2`,
        'filters[title][$near]=1,2,3',
        'filters[facts][$near]=1,2,3',
        'filters[card][place][$near]=1',
        'sort=place',
        'sort=place:asc',
        'sort=place:near',
        'sort=place:near:1',
        'sort=place:near:91:1',
        'sort=place:near:1:2:up',
        'sort=place:near:1:2:asc:1',
        'sort=title:near:1:2',
        'sort=place:near:1:2&cursor=',
        'sort=facts',
        'sort=card',
      ]
      for (const query of bad) problemsIn(await service.admin.get(`${path}?${query}`))
    })

    it('weighs what it reads', async () => {
      const parts = Array.from(
        { length: 150 },
        (_, at) => `filters[$or][${at}][cards][text][$containsi]=x${at}`,
      )
      assert.deepEqual(problemsIn(await service.admin.get(`${path}?${parts.join('&')}`)), [
        'filters maxWeight',
      ])
    })

    it('finds nothing by what the caller may not see', async () => {
      await allow({ admin: service.admin, anonymous: service, service, stop: async () => {} }, 'public', {
        sheet: { read: true },
        person: { read: true },
      })
      const asked = async (query: string) => {
        const { status, body } = await service.get(`${path}?limit=100&fields=id&${query}`)
        return status === 200 ? body.data.length : status
      }
      for (const where of ['card', 'cards', 'zone][test.card']) {
        // Grace is a draft, tags are closed.
        assert.equal(await asked(`filters[${where}][person][name]=Grace`), 0)
        assert.equal(await asked(`filters[${where}][person]=${seeds.people[2]?.id}`), 0)
        assert.ok(Number(await asked(`filters[${where}][person][name][$eqi]=ADA`)) > 0)
        assert.equal(await asked(`filters[${where}][tags][name]=red`), 401)
        assert.equal(await asked(`filters[${where}][tags][nothing]=red`), 401)
        assert.equal(await asked(`filters[${where}][tags][$null]=true`), 401)
      }
    })
  })
})
