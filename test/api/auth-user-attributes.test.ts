import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import type { Account } from '../../core-plugins/accounts/auth/accounts/accounts.ts'
import { readUserAttributes } from '../../core-plugins/accounts/auth/accounts/user-attributes.ts'
import {
  type ColumnKind,
  defineTable,
  type TableSpec,
} from '../../core-plugins/foundation/database/database.ts'
import { bodyValidator } from '../../core-plugins/foundation/http/http.ts'
import { type AttributeDrafts, contentType } from '../content/payload-model.ts'

const drafts: AttributeDrafts = {
  // Those that every account has.
  email: { type: 'email', required: true },
  role: { type: 'string' },
  work: { type: 'email' },
  title: { type: 'string', minLength: 2 },
  bio: { type: 'text' },
  about: { type: 'richtext', maxLength: 10 },
  age: { type: 'integer', min: 0, max: 150 },
  points: { type: 'bigint' },
  balance: { type: 'decimal', min: '-5' },
  isVip: { type: 'boolean', default: false },
  birthday: { type: 'date' },
  seenAt: { type: 'datetime', default: 'now' },
  notes: { type: 'json' },
  level: { type: 'enum', values: ['basic', 'gold'], required: true, default: 'basic' },
  avatar: { type: 'media', multiple: false },
  mentor: { type: 'relation', relation: 'manyToOne', target: 'user' },
  phone: { type: 'string', required: true },
  secret: { type: 'string', private: true },
  // Not in the table of users.
  gallery: { type: 'media', multiple: true },
}
const kinds: Readonly<Record<string, ColumnKind>> = { age: 'integer', notes: 'json', seen_at: 'datetime' }
const names = Object.keys(drafts).filter((name) => name !== 'gallery')
const toColumn = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const table: TableSpec = {
  name: 'svc_users',
  columns: names.map(toColumn).map((name) => ({ name, kind: kinds[name] ?? 'string' })),
}
const attributes = readUserAttributes(contentType('user', drafts), table)

const served = names.filter((name) => !['email', 'role'].includes(name))
const shownToOwners = served.filter((name) => name !== 'secret')

function accepts(schema: TSchema | undefined, value: unknown): boolean {
  assert.ok(schema)
  const validate = bodyValidator({ type: 'object', properties: { value: schema } } as unknown as TSchema)
  return validate({ value }).length === 0
}

describe('attributes of content users', () => {
  it('are those of the extension that have a column of their own; private ones are shown to managers only', () => {
    assert.equal(attributes.table, 'svc_users')
    for (const each of [attributes.columns, attributes.writable, attributes.manageable]) {
      assert.deepEqual(Object.keys(each), served)
    }
    assert.deepEqual(Object.keys(attributes.readable), shownToOwners)
    const { seenAt, title } = defineTable('svc_users', attributes.columns).columns
    assert.deepEqual([seenAt?.column, seenAt?.kind], ['seen_at', 'datetime'])
    assert.deepEqual([title?.column, title?.kind], ['title', 'string'])
  })

  it('must be given where nothing stands in for them', () => {
    assert.deepEqual(Object.keys(attributes.required), ['phone'])
    assert.equal(accepts(attributes.required.phone, '1'), true)
    assert.equal(accepts(attributes.required.phone, null), false)
  })

  it('take what fits them', () => {
    const cases: Record<string, [good: unknown[], bad: unknown[]]> = {
      work: [
        ['a@b.org', null],
        ['nobody', `${'a'.repeat(250)}@b.org`],
      ],
      title: [
        ['ab', 'x'.repeat(255), null],
        ['a', 'x'.repeat(256), 7],
      ],
      bio: [['', 'x'.repeat(10_000), null], [7]],
      about: [['x'.repeat(10)], ['x'.repeat(11)]],
      age: [
        [0, 150, null],
        [-1, 151, 1.5, '7'],
      ],
      points: [
        [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
        [2 ** 53, -(2 ** 53), 1.5],
      ],
      balance: [
        [-5, 0.25],
        [-5.5, 2 ** 53, '1'],
      ],
      isVip: [
        [true, false, null],
        ['yes', 1],
      ],
      birthday: [
        ['1990-05-01', null],
        ['0000-05-01', 'soon'],
      ],
      seenAt: [['2026-01-31T10:00:00Z', null], ['soon']],
      notes: [[null, { a: [1] }, 'x'], []],
      level: [['gold'], [null, 'iron']],
      avatar: [
        [1, null],
        [0, 1.5, 'x'],
      ],
      mentor: [
        [Number.MAX_SAFE_INTEGER, null],
        [0, 2 ** 53],
      ],
      phone: [['1'], [null]],
      secret: [['x', null], [7]],
    }
    assert.deepEqual(Object.keys(cases), served)
    for (const [name, [good, bad]] of Object.entries(cases)) {
      for (const value of good)
        assert.equal(accepts(attributes.writable[name], value), true, `${name}: ${value}`)
      for (const value of bad)
        assert.equal(accepts(attributes.writable[name], value), false, `${name}: ${value}`)
    }
  })

  it('are answered as they are, or null; numbers that a double cannot hold as strings', () => {
    for (const name of shownToOwners) assert.equal(accepts(attributes.readable[name], null), true, name)
    for (const name of ['points', 'balance']) {
      for (const value of [7, '9007199254740993'])
        assert.equal(accepts(attributes.readable[name], value), true)
    }
    assert.equal(accepts(attributes.readable.age, '9007199254740993'), false)
    const shown = attributes.present({ id: 1, title: 'Dr', isVip: false, secret: 'x' } as unknown as Account)
    assert.deepEqual(Object.keys(shown), shownToOwners)
    assert.deepEqual([shown.title, shown.isVip, shown.bio], ['Dr', false, null])
  })

  it('begin with their defaults', () => {
    const before = Date.now()
    const { seenAt, ...defaults } = attributes.defaults()
    assert.ok(Date.parse(String(seenAt)) >= before && Date.parse(String(seenAt)) <= Date.now())
    assert.match(String(seenAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const rest = served.filter((name) => name !== 'seenAt')
    const expected = { isVip: false, level: 'basic' }
    assert.deepEqual(
      defaults,
      Object.fromEntries(rest.map((name) => [name, expected[name as keyof typeof expected] ?? null])),
    )
  })

  it('are stored where a payload has them, moments in UTC', () => {
    const payload = {
      seenAt: '2026-01-31T10:00:00+02:00',
      title: '2026-01-31T10:00:00+02:00',
      other: 1,
      bio: null,
    }
    assert.deepEqual(attributes.toColumns(payload), {
      ...{ seenAt: '2026-01-31T08:00:00.000Z', title: payload.title, bio: null },
    })
    assert.deepEqual(attributes.toColumns({ seenAt: null }), { seenAt: null })
    assert.deepEqual(attributes.toColumns({}), {})
  })
})
