import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Change, changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import {
  contentService,
  type Image,
  observeReads,
  type ReadObserver,
  type ReadSelection,
} from '../../core-plugins/entries/content/content.ts'
import { AppError, type Principal } from '../../core-plugins/foundation/http/http.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { randomFrom } from './random-writes.ts'

const filters = 10 * Number(process.env.CACHE_ROUNDS ?? 60)
const seed = Number(process.env.CACHE_SEED ?? 20_261_123)

const typeFile = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes,
  },
})
const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target })

const schemas = {
  ...typeFile('owner', { name: { type: 'string' } }),
  ...typeFile('badge', { name: { type: 'string' } }, { draftAndPublish: true }),
  ...typeFile(
    'thing',
    {
      name: { type: 'string' },
      more: { type: 'text' },
      page: { type: 'richtext' },
      mail: { type: 'email' },
      size: { type: 'enum', enum: ['S', 's', 'M'] },
      count: { type: 'integer' },
      big: { type: 'bigint' },
      price: { type: 'decimal' },
      exact: { type: 'decimal', min: -1_000_000 },
      flag: { type: 'boolean' },
      day: { type: 'date' },
      moment: { type: 'datetime' },
      place: { type: 'point' },
      owner: relation('manyToOne', 'owner'),
      badge: relation('manyToOne', 'badge'),
      badges: relation('manyToMany', 'badge'),
    },
    { draftAndPublish: true, softDelete: true },
  ),
}

/** Values that databases, collations and JavaScript are known to disagree about. */
const texts = [
  'a',
  'A',
  'a ',
  ' a',
  'ä',
  'Ä',
  'a\u0308',
  'ß',
  'ss',
  'Straße',
  '',
  ' ',
  '%',
  '_',
  '\\',
  'a_b',
  'a%b',
  "'",
].concat([
  '1',
  '01',
  '1.0',
  '\u{1F600}',
  '\uFF5E',
  'ﬁ',
  'i',
  'I',
  'ı',
  'İ',
  'null',
  'e\u200D',
  'x'.repeat(300),
])
const values: Readonly<Record<string, readonly unknown[]>> = {
  ...{ name: texts, more: texts, page: texts.map((text) => `<p>${text}</p>`) },
  mail: ['a@example.com', 'A@example.com', 'b@example.com'],
  size: ['S', 's', 'M'],
  count: [0, -1, 1, 2, 10, 2_147_483_647, -2_147_483_648],
  big: [0, 1, '9007199254740993', '9007199254740992', '-9223372036854775808', 10],
  price: ['1.10', '1.1', 1.1, 0.1, '0.10', 10, 9, '-0', '100000'],
  exact: ['1.10', 1.1, 2, '2.00', 10, 9, '99999999999999999.99'],
  flag: [true, false],
  day: ['2026-01-01', '2026-01-02', '1999-12-31', '0999-01-01', '9999-12-31'],
  moment: [
    '2026-01-01T00:00:00Z',
    '2026-01-01T01:00:00+01:00',
    '2026-01-01T00:00:00.001Z',
    '2026-01-01T00:00:00.0014Z',
    '1969-12-31T23:59:59.999Z',
  ],
  place: [
    { lat: 47.3769, lng: 8.5417 },
    { lat: 47.4, lng: 8.55 },
    { lat: -17.8, lng: -179.9 },
    { lat: 0, lng: 180 },
    { lat: 90, lng: 0 },
  ],
  owner: [1, 2, 3],
  badge: [1, 2, 3],
  badges: [[], [1], [1, 2], [2, 3]],
}
/** Some of which end just where a place is. */
const areas = [
  ...[
    '$near]=47.3769,8.5417,0',
    '$near]=47.3769,8.5417,2645.1',
    '$near]=47.3769,8.5417,5000',
    '$near]=89,60,200000',
  ],
  ...['$within]=-18,178,1,-179', '$within]=47,8,48,8.3,48,9,47,9.2', '$within]=47.3769,8.5417,48,9,48,10'],
]
const compared = [
  '$eq',
  '$ne',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$between',
  '$in',
  '$notIn',
  '$null',
  '$notNull',
]
const operators = [...compared, '$contains', '$notContains', '$startsWith', '$endsWith', '$eqi', '$containsi']

const everything: Principal = { kind: 'token', id: 0, name: 'test', scopes: new Set(['admin:*']) }
const reader: Principal = { kind: 'token', id: 0, name: 'test', scopes: new Set(['content:read']) }

function createRandomFilters(random: () => number) {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const operand = (field: string) => {
    const value = pick(values[field] ?? texts)
    return encodeURIComponent(String(Array.isArray(value) ? (value[0] ?? 1) : value))
  }
  const one = (path: string): string => {
    const field = pick(Object.keys(values))
    if (['owner', 'badge', 'badges'].includes(field) && random() < 0.4) {
      return `${path}[${field}][name][${pick(operators)}]=${operand('name')}`
    }
    if (field === 'place' && random() < 0.8) return `${path}[place][${pick(areas)}`
    const operator = pick(operators)
    const own = `${path}[${field}][${operator}]`
    if (operator === '$null' || operator === '$notNull') return `${own}=${pick(['true', 'false'])}`
    if (operator === '$between') return `${own}=${operand(field)},${operand(field)}`
    if (operator === '$in' || operator === '$notIn')
      return `${own}[]=${operand(field)}&${own}[]=${operand(field)}`
    return `${own}=${operand(field)}`
  }
  const some = (path: string, depth: number): string => {
    const draw = random()
    if (depth === 0 || draw < 0.6) return one(path)
    if (draw < 0.7) return some(`${path}[$not]`, depth - 1)
    const name = draw < 0.85 ? '$or' : '$and'
    return [0, 1].map((index) => some(`${path}[${name}][${index}]`, depth - 1)).join('&')
  }
  return () => some('filters', 2)
}

/** Who learns only which entries a list is made of. */
function selecting(): ReadObserver & { readonly found: ReadSelection[] } {
  const found: ReadSelection[] = []
  const nothing = () => undefined
  return {
    found,
    selects: (_type, make) => void found.push(make()),
    ...{ shows: nothing, hides: nothing, dependsOn: nothing, waitsFor: nothing, isOpaque: nothing },
  }
}

eachDatabase(({ name }) => {
  let service: TestService
  let admin: Client
  /** As the log has them: the newest image of each thing. */
  const images = new Map<number, Image>()
  const random = randomFrom(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

  const draw = (share: number) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([field, all]) =>
        random() < share ? [[field, random() < 0.15 && field !== 'badges' ? null : pick(all)]] : [],
      ),
    )

  async function write(send: () => Promise<{ status: number }>): Promise<boolean> {
    for (let attempt = 0; attempt < 20; attempt++) if ((await send()).status < 300) return true
    return false
  }

  before(async () => {
    service = await startService({ database: name, schemas })
    admin = service.admin
    const { tail } = service.kernel.get(changeLogService)
    tail.onApplied((changes) => {
      for (const { type, entryId, after: image } of changes as readonly Change[]) {
        if (type !== 'thing' || entryId === undefined) continue
        if (image === null) images.delete(entryId)
        else if (image !== undefined) images.set(entryId, image)
      }
    })
    for (const type of ['owner', 'badge']) {
      for (const text of ['a', 'A', 'ä']) await admin.post(`/api/content/${type}`, { name: text })
    }
    await admin.put('/api/content/badge/1/publish')
    for (let count = 0; count < 40; count++) await write(() => admin.post('/api/content/thing', draw(0.7)))
    for (let id = 1; id <= 40; id++) {
      if (id % 2 === 0) await write(() => admin.put(`/api/content/thing/${id}`, draw(0.4)))
      if (id % 3 === 0) await admin.put(`/api/content/thing/${id}/publish`)
      if (id % 7 === 0) await admin.delete(`/api/content/thing/${id}`)
    }
  })
  after(() => service.stop())

  it('what is told of an entry without the database is what the database says', slow, async (context) => {
    const content = service.kernel.get(contentService)
    const filter = createRandomFilters(random)
    const counts = { yes: 0, no: 0, maybe: 0, refused: 0 }

    async function compare(query: string, principal: Principal) {
      const observer = selecting()
      const recipient = { signal: new AbortController().signal }
      observeReads(recipient, observer)
      const { entries } = await content.list('thing', `${query}&limit=100`, principal, recipient)
      const members = new Set(entries.map(({ id }) => id))
      const [selection] = observer.found
      assert.ok(selection !== undefined)
      const now = new Date().toISOString()
      for (const [id, image] of images) {
        const told = selection.test(image, now)
        counts[told === undefined ? 'maybe' : told ? 'yes' : 'no'] += 1
        const text = `${query}, seed ${seed}, of ${JSON.stringify(image)}`
        assert.ok(
          told === undefined || told === members.has(id),
          `${told} instead of ${members.has(id)}: ${text}`,
        )
      }
    }

    assert.ok(images.size > 25, `only ${images.size} entries`)
    for (let count = 0; count < filters; count++) {
      try {
        await compare(filter(), random() < 0.5 ? everything : reader)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        counts.refused += 1
      }
    }
    const told = counts.yes + counts.no
    context.diagnostic(JSON.stringify(counts))
    assert.ok(
      counts.refused < filters / 2 && told > counts.maybe,
      `too much is open: ${JSON.stringify(counts)}`,
    )
  })
})
