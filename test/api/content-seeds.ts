import type { Client } from '../support/client.ts'
import { type ContentWorld, createAll, dataOf, type Entry, pathOf } from './content-world.ts'

/** People, the first two of them published; each but the first has the one before as boss. */
const people = [
  { name: 'Ada', age: 36 },
  { name: 'Émile', age: 50 },
  { name: 'émile', age: null },
  { name: 'Grace %_\\', age: 85 },
]

const tagNames = ['red', 'Red', 'blue', 'ÉTÉ', 'été', '100%']

/** Texts that tell databases apart: case, accents, wildcards, spaces, code points beyond the first plane. */
const titles: readonly (string | null)[] = [
  'Alpha',
  'alpha',
  'ALPHABET',
  'Äpfel',
  'äpfel',
  'Apfel',
  '100%',
  '100 percent',
  'a_b',
  'axb',
  'back\\slash',
  "O'Neil; drop table sample; --",
  'Αθήνα',
  'αθήνα',
  'Москва',
  'МОСКВА',
  '日本 🎈',
  '\uffee',
  'trailing ',
  'trailing',
  '',
  ' ',
  '0',
  'null',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ΟΔΌΣ',
  'οδός',
  'e\u0301t\u00e9',
  'ǅ \u212a',
  'ǆ k',
  null,
  null,
]

const bigs = [
  '-9223372036854775808',
  '9223372036854775807',
  '9007199254740993',
  '9007199254740992',
  0,
  7,
  -7,
  null,
]
const prices = [
  '0.1',
  '0.100000000000000000000000000001',
  '99999999999999999999999999999999999.5',
  '-12345678.5',
  '123456789012345678901234567890.123456789',
  0,
  10,
  9.5,
  null,
]
const days = ['2024-02-29', '0001-01-01', '9999-12-31', '2026-01-31', '2026-02-01', null]
const moments = [
  '2026-01-31T08:00:00.000Z',
  '2026-01-31T08:00:00.001Z',
  '2026-01-31T07:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  null,
]

const pick = <T>(items: readonly T[], index: number): T | null => items[index % items.length] ?? null

/** Payloads of samples: every field has its own cycle of values, so that most combinations differ. */
function samplePayloads(personIds: readonly number[], tagIds: readonly number[]): object[] {
  return titles.map((title, index) => ({
    title,
    body: index % 4 === 3 ? null : `${title} and ${pick(tagNames, index)} text`,
    mail: index % 3 === 0 ? `sample${index % 5}@example.com` : null,
    count: pick([5, -5, null, 0, 5, 1000, -1000], index),
    big: pick(bigs, index),
    price: pick(prices, index),
    isOn: pick([true, false, null], index),
    day: pick(days, index),
    seenAt: pick(moments, index),
    kind: pick(['red', 'green', null, 'Blue'], index),
    data: index % 2 === 0 ? { index } : null,
    owner: pick([...personIds, null], index),
    tags: tagIds.filter((_, position) => (index >> position) % 2 === 1),
    seo: index % 5 === 0 ? { title: `SEO ${index}` } : null,
    links:
      index % 6 === 0 ? [{ label: `link ${index}`, person: pick(personIds, index), tags: [...tagIds] }] : [],
    blocks:
      index % 7 === 0
        ? [{ __component: 'test.menu', links: [{ label: 'x', person: pick(personIds, 1) }] }]
        : [],
  }))
}

/** What the seeds came to. Entries are as the API answers them. */
export interface Seeds {
  readonly people: readonly Entry[]
  readonly tags: readonly Entry[]
  readonly samples: readonly Entry[]
}

/** Fills a service with entries that are the same on every database, ids included. */
export async function seed({ admin }: ContentWorld): Promise<Seeds> {
  const tags = await createAll(
    admin,
    'tag',
    tagNames.map((name) => ({ name })),
  )
  const persons: Entry[] = []
  for (const person of people) {
    const boss = persons.at(-1)?.id ?? null
    persons.push(
      ...(await createAll(admin, 'person', [{ ...person, boss, friends: persons.map(({ id }) => id) }])),
    )
  }
  const published = await Promise.all(persons.slice(0, 2).map(({ id }) => publishLongAgo(admin, id)))
  const payloads = samplePayloads(
    persons.map(({ id }) => id),
    tags.map(({ id }) => id),
  )
  const samples = await createAll(admin, 'sample', payloads)
  return { tags, people: [...published, ...persons.slice(2)], samples: await twins(admin, samples) }
}

/** At a moment that is the same on every run. */
async function publishLongAgo(admin: Client, id: number): Promise<Entry> {
  return dataOf(await admin.put(pathOf('person', `${id}/publish`), { publishedAt: '2020-01-31T08:00:00Z' }))
}

/** Every third sample is the twin of the one before it. */
async function twins(admin: Client, samples: readonly Entry[]): Promise<Entry[]> {
  const changed: Entry[] = []
  for (const [index, sample] of samples.entries()) {
    const twin = index % 3 === 2 ? samples[index - 1]?.id : undefined
    changed.push(twin === undefined ? sample : dataOf(await admin.put(pathOf('sample', sample.id), { twin })))
  }
  return changed
}
