import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import type { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'
import type { Seeds } from './content-seeds.ts'
import { createAll } from './content-world.ts'

const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target })

const typeFile = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}-list`, displayName: name },
    options,
    attributes,
  },
})

const componentFile = (uid: string, attributes: object) => ({
  [`components/${uid}.json`]: { uid, category: 'test', info: { displayName: uid }, attributes },
})

/** Entries with components of every kind in one another, with values of every kind, and with JSON. */
const schemas = {
  ...typeFile('sheet', {
    title: { type: 'string' },
    card: { type: 'component', component: 'test.card' },
    cards: { type: 'component', component: 'test.card', repeatable: true },
    zone: { type: 'dynamicZone', components: ['test.card', 'test.note'] },
    facts: { type: 'json' },
    place: { type: 'point' },
  }),
  ...typeFile('person', { name: { type: 'string' } }, { draftAndPublish: true }),
  ...typeFile('tag', { name: { type: 'string' } }),
  ...componentFile('test.card', {
    text: { type: 'string' },
    body: { type: 'text' },
    count: { type: 'integer' },
    big: { type: 'bigint' },
    price: { type: 'decimal' },
    isOn: { type: 'boolean' },
    day: { type: 'date' },
    seenAt: { type: 'datetime' },
    kind: { type: 'enum', enum: ['red', 'green'] },
    facts: { type: 'json' },
    place: { type: 'point' },
    person: relation('manyToOne', 'person'),
    tags: relation('manyToMany', 'tag'),
    inner: { type: 'component', component: 'test.note' },
    notes: { type: 'component', component: 'test.note', repeatable: true },
  }),
  ...componentFile('test.note', { text: { type: 'string' }, count: { type: 'integer' } }),
}

/** A service with such entries; the cache is off, since every answer is to come from the database. */
export async function startInside(database: DialectName) {
  return startService({ database, schemas, env: { SVC_PLUGINS_DISABLED: 'cache' } })
}

const texts = ['alpha', 'ALPHA', 'Äpfel', 'äpfel', "O'Neil; --", '100%', '', 'trailing ', '🎈', '3', null]
const numbers = [0, 5, -5, 1000, 9007199254740991, null]
const bigs = ['9223372036854775807', '-9223372036854775808', '9007199254740993', 7, null]
const prices = [
  '0.100000000000000000000000000001',
  0.1,
  -12345678.5,
  '99999999999999999999.5',
  1e-7,
  10,
  null,
]
const days = ['2024-02-29', '0001-01-01', '9999-12-31', null]
const moments = ['2026-01-31T08:00:00.000Z', '0001-01-01T00:00:00.000Z', '2026-01-31T09:00:00+01:00', null]

/** On both sides of the antimeridian, at the poles, and where nothing is. */
const places = [
  { lat: 47.3769, lng: 8.5417 },
  { lat: 47.4, lng: 8.55 },
  { lat: -33.8688, lng: 151.2093 },
  { lat: -17.7134, lng: 178.065 },
  { lat: -17.8, lng: -179.9 },
  { lat: 0, lng: 180 },
  { lat: 0, lng: -180 },
  { lat: 90, lng: 0 },
  { lat: 89.9, lng: -120 },
  { lat: -90, lng: 45 },
  { lat: 0, lng: 0 },
  { lat: 64.1466, lng: -21.9426 },
  null,
]

/** What is in the JSON attributes: one key with values of every type, and keys that paths might stumble over. */
const facts: readonly unknown[] = [
  { height: 3, deep: { er: { x: 'alpha' } } },
  { height: '3', 'a.b': 1, '*': 2, '[0]': 3, é: 4 },
  { height: 3.5, 'a b': true, $x: 1 },
  { height: true, "it's": 'x' },
  { height: 'true', 'x{y,z}': 5 },
  { height: null },
  { height: [3, 4] },
  { height: { er: 3 }, constructor: 1 },
  { height: 1e21, deep: 'x' },
  { height: 1e-7, deep: [{ er: 1 }] },
  { height: 9007199254740992 },
  { height: 12345678901234567000 },
  { height: 0.1 },
  { height: -1 },
  { height: 'Äpfel' },
  { height: 'äpfel ' },
  { height: '' },
  {},
  [1, 2],
  'text',
  3,
  true,
  null,
]

const pick = <T>(items: readonly T[], index: number): T | null => items[index % items.length] ?? null

function cardAt(index: number, people: readonly number[], tags: readonly number[]): object {
  return {
    text: pick(texts, index),
    body: pick(texts, index * 3 + 1),
    count: pick(numbers, index),
    big: pick(bigs, index),
    price: pick(prices, index),
    isOn: pick([true, false, null], index),
    day: pick(days, index),
    seenAt: pick(moments, index),
    kind: pick(['red', 'green', null], index),
    facts: pick(facts, index * 5),
    place: pick(places, index * 3),
    person: pick([...people, null], index),
    tags: tags.filter((_, position) => (index >> position) % 2 === 1),
    inner: index % 3 === 0 ? null : noteAt(index),
    notes: Array.from({ length: index % 3 }, (_, at) => noteAt(index + at)),
  }
}

const noteAt = (index: number) => ({ text: pick(texts, index * 7), count: pick(numbers, index * 2) })

function sheetAt(index: number, people: readonly number[], tags: readonly number[]): object {
  const card = (more: number) => cardAt(index * 2 + more, people, tags)
  const blocks = [
    { __component: 'test.card', ...cardAt(Math.floor(index / 2), people, tags) },
    { __component: 'test.note', ...noteAt(index) },
  ]
  return {
    title: `sheet ${index}`,
    card: index % 4 === 0 ? null : card(0),
    cards: Array.from({ length: index % 3 }, (_, at) => card(at)),
    zone: blocks.slice(index % 2, 1 + (index % 3)),
    facts: facts[index % facts.length],
    place: pick(places, index),
  }
}

/** Fills the service. Two people are published; the others are drafts. */
export async function seedInside(admin: Client): Promise<Seeds> {
  const people = await createAll(admin, 'person', [{ name: 'Ada' }, { name: 'ada' }, { name: 'Grace' }])
  for (const { id } of people.slice(0, 2)) await admin.put(`/api/content/person/${id}/publish`)
  const tags = await createAll(admin, 'tag', [{ name: 'red' }, { name: 'blue' }])
  const ids = (entries: readonly { id: number }[]) => entries.map(({ id }) => id)
  const payloads = Array.from({ length: 46 }, (_, index) => sheetAt(index, ids(people), ids(tags)))
  return { people, tags, samples: await createAll(admin, 'sheet', payloads) }
}
