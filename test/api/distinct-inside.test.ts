import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { seedInside, startInside } from './content-inside-world.ts'
import { comparisons, type Filter, filterQuery, satisfies } from './content-oracle.ts'
import type { Seeds } from './content-seeds.ts'
import { allow, dataOf, type Entry, problemsIn } from './content-world.ts'

type Value = string | number | boolean | null

const plain = ['text', 'body', 'count', 'big', 'price', 'isOn', 'day', 'seenAt', 'kind']
const keys = [
  'height',
  'height.er',
  'deep',
  'deep.er',
  'deep.er.x',
  '*',
  '[0]',
  'é',
  'a b',
  "it's",
  'x{y,z}',
  'constructor',
]
const ofCards = [
  ...plain,
  ...keys.map((key) => `facts.${key}`),
  ...['person', 'person.name', 'tags', 'tags.name', 'inner.text', 'inner.count', 'notes.text', 'notes.count'],
]
const paths = [
  ...keys.map((key) => `facts.${key}`),
  ...['card', 'cards', 'zone.test.card'].flatMap((holder) => ofCards.map((name) => `${holder}.${name}`)),
  ...['zone.test.note.text', 'zone.test.note.count'],
]

/** The values of an entry: docs/content-api.md, in plain JavaScript. */
function valuesOf(entry: Entry, path: string, seeds: Seeds): Value[] {
  const found = valuesAt(entry, path.split('.'), seeds)
  return found.length === 0 ? [null] : [...new Set(found)]
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[], seeds: Seeds): Value[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, [name ?? '', ...rest], seeds))
  if (value === null || typeof value !== 'object') return []
  if (name === 'zone') {
    const blocks = (value as Entry).zone as { __component: string }[]
    const [category, component, ...inner] = rest
    return valuesAt(
      blocks.filter((block) => block.__component === `${category}.${component}`),
      inner,
      seeds,
    )
  }
  const member = Object.hasOwn(value, name ?? '') ? (value as Entry)[name ?? ''] : null
  if (name === 'facts') return jsonAt(member, rest)
  if (name === 'person' && rest.length > 0) return namesOf([member], seeds.people)
  if (name === 'tags' && rest.length > 0) return namesOf(member as unknown[], seeds.tags)
  if (rest.length > 0) return valuesAt(member, rest, seeds)
  return [member].flat().filter((each) => each !== null) as Value[]
}

function namesOf(ids: readonly unknown[], among: readonly Entry[]): Value[] {
  return among.filter(({ id }) => ids.includes(id)).map(({ name }) => name as Value)
}

function jsonAt(value: unknown, path: readonly string[]): Value[] {
  const [key, ...rest] = path
  if (key === undefined) return ['string', 'number', 'boolean'].includes(typeof value) ? [value as Value] : []
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.hasOwn(value, key) ? jsonAt((value as Entry)[key], rest) : []
}

interface Counted {
  readonly value: Value
  readonly count: number
}

function expected(path: string, filter: Filter, seeds: Seeds): Counted[] {
  const counts = new Map<Value, number>()
  for (const entry of seeds.samples.filter((each) => satisfies(each, filter, seeds))) {
    for (const value of valuesOf(entry, path, seeds)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].map(([value, count]) => ({ value, count }))
}

const rank = (value: Value) => ['object', 'boolean', 'number', 'string'].indexOf(typeof value)

/** Of numbers that are shown as texts because they have more digits than a double, the order of numbers. */
function compareAt(path: string): (left: Value, right: Value) => number {
  const isNumber = path.endsWith('.big') || path.endsWith('.price')
  const compare = comparisons[isNumber ? 'price' : 'text']
  return (left, right) => {
    if (left === null || right === null) return Number(left !== null) - Number(right !== null)
    if (isNumber) return compare?.(decimal(left), decimal(right)) ?? 0
    if (rank(left) !== rank(right)) return rank(left) - rank(right)
    if (typeof left === 'string') return compare?.(left, String(right)) ?? 0
    return Number(left) - Number(right)
  }
}

const decimal = (value: Value) => (Math.abs(Number(value)) < 1e-6 ? Number(value).toFixed(30) : String(value))

eachDatabase((database) => {
  let service: TestService
  let seeds: Seeds

  before(async () => {
    service = await startInside(database.name)
    seeds = await seedInside(service.admin)
  })
  after(() => service?.stop())

  const get = (query: string) => service.admin.get(`/api/content/sheet/distinct?${query}`)
  const named = (names: readonly string[]) =>
    names.map((name) => `field[]=${encodeURIComponent(name)}`).join('&')

  async function assertFound(names: readonly string[], filter: Filter, sort: 'count' | 'value') {
    const query = `${named(names)}&sort=${sort}&limit=100&${filterQuery(filter)}`
    const found = dataOf(await get(query)) as unknown as Record<string, { values: Counted[] }>
    for (const name of names) {
      const compare = compareAt(name)
      const wanted = expected(name, filter, seeds).sort(
        (left, right) =>
          (sort === 'count' ? right.count - left.count : 0) || compare(left.value, right.value),
      )
      assert.deepEqual(found[name], { values: wanted, hasMore: false }, `${name} ${query}`)
    }
  }

  describe('distinct values inside components, zones, JSON and related entries', () => {
    it('are those that can be worked out by hand', slow, async () => {
      for (let first = 0; first < paths.length; first += 5) {
        const sort = first % 2 === 0 ? 'count' : 'value'
        await assertFound(paths.slice(first, first + 5), {}, sort)
        // The same statements, prepared already.
        await assertFound(paths.slice(first, first + 5), {}, sort)
      }
    })

    it('are those of the entries that filters pick', async () => {
      const filters = fc.constantFrom<Filter>(
        { card: { count: { $gt: '0' } } },
        { cards: { text: 'alpha' } },
        { zone: { 'test.note': { count: { $notNull: 'true' } } } },
        { facts: { height: { $gt: '1' } } },
        { title: 'nothing' },
        { place: { $notNull: 'true' } },
      )
      const names = fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 4 })
      await fc.assert(fc.asyncProperty(names, filters, fc.constantFrom('count', 'value'), assertFound), {
        numRuns: 60,
      })
    })

    it('leave out the filter on themselves if asked to', async () => {
      const filter: Filter = {
        card: { text: 'alpha', count: { $notNull: 'true' } },
        zone: { 'test.note': { text: { $ne: 'x' } } },
        facts: { height: { $notNull: 'true' } },
      }
      const others: Readonly<Record<string, Filter>> = {
        'card.text': { ...filter, card: { count: { $notNull: 'true' } } },
        'zone.test.note.text': { card: filter.card as Filter, facts: filter.facts as Filter },
        'facts.height': { card: filter.card as Filter, zone: filter.zone as Filter },
        'card.inner.text': filter,
      }
      const found = dataOf(
        await get(
          `${named(Object.keys(others))}&ownFilters=false&limit=100&sort=value&${filterQuery(filter)}`,
        ),
      ) as unknown as Record<string, { values: Counted[] }>
      for (const [name, rest] of Object.entries(others)) {
        const compare = compareAt(name)
        const wanted = expected(name, rest, seeds).sort((left, right) => compare(left.value, right.value))
        assert.deepEqual(found[name]?.values, wanted, name)
      }
    })

    it('come in pages', async () => {
      const all = dataOf(await get('field=cards.text&limit=100')) as unknown as Record<
        string,
        { values: Counted[] }
      >
      const page = dataOf(await get('field=cards.text&limit=2&offset=1')) as unknown as Record<string, object>
      assert.deepEqual(page['cards.text'], { values: all['cards.text']?.values.slice(1, 3), hasMore: true })
    })

    it('are those that the caller sees', async () => {
      const world = { admin: service.admin, anonymous: service, service, stop: async () => {} }
      await allow(world, 'public', { sheet: { read: true }, person: { read: true } })
      // Grace is a draft, tags are closed.
      const shown = { ...seeds, people: seeds.people.slice(0, 2) }
      for (const holder of ['card', 'cards', 'zone.test.card']) {
        const path = `/api/content/sheet/distinct?sort=value&limit=100&field=${holder}.person.name,${holder}.person`
        const found = dataOf(await service.get(path)) as unknown as Record<string, { values: Counted[] }>
        const compare = compareAt('name')
        const names = expected(`${holder}.person.name`, {}, shown)
        assert.deepEqual(
          found[`${holder}.person.name`]?.values,
          names.sort((left, right) => compare(left.value, right.value)),
        )
        const ids = (found[`${holder}.person`]?.values ?? []).map(({ value }) => value)
        assert.ok(ids.length > 1 && !ids.includes(seeds.people[2]?.id ?? 0), String(ids))
        for (const inner of ['tags', 'tags.name', 'tags.nothing', 'tags.name.x']) {
          const { status } = await service.get(`/api/content/sheet/distinct?field=${holder}.${inner}`)
          assert.equal(status, 401, inner)
        }
      }
    })

    it('are refused where a path leads nowhere', async () => {
      for (const [field, problem] of [
        ['card.nothing', 'unknown'],
        ['card.constructor', 'unknown'],
        ['nothing.text', 'unknown'],
        ['zone.text', 'unknown'],
        ['zone.test.other.text', 'unknown'],
        ['zone.test.card', 'type'],
        ['zone.test.card.nothing', 'unknown'],
        ['card.inner', 'type'],
        ['card.notes', 'type'],
        ['card.facts', 'type'],
        ['card.place', 'type'],
        ['card.text.more', 'type'],
        ['place.lat', 'type'],
        ['title.x', 'type'],
        ['facts.0', 'type'],
        ['facts.$x', 'type'],
        ['facts.', 'type'],
        ['facts.a"b', 'type'],
        ["facts.a\\'b", 'type'],
        [`facts.${'a'.repeat(201)}`, 'type'],
        [`facts${'.a'.repeat(11)}`, 'type'],
        ['card.person.nothing', 'unknown'],
        ['card.person.name.x', 'type'],
        ['.', 'unknown'],
        ['card.', 'unknown'],
      ] as const) {
        const query = `field=${encodeURIComponent(field)}`
        assert.deepEqual(problemsIn(await get(query)), [`field ${problem}`], field)
      }
      assert.deepEqual(problemsIn(await get('field=card.person&populate=card')), ['populate unknown'])
    })
  })
})
