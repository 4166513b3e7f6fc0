import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compilePayload } from '../../core-plugins/entries/content/payload/payload.ts'
import { type AttributeDrafts, contentType, schemasOf } from './payload-model.ts'
import { checkerOf, now, placesOf, problemsOf } from './payload-problems.ts'

const article: AttributeDrafts = {
  title: { type: 'string', required: true, maxLength: 10 },
  views: { type: 'integer', default: 0 },
  isFeatured: { type: 'boolean' },
  price: { type: 'decimal', default: '1.50' },
  seenAt: { type: 'datetime', default: 'now' },
  settings: { type: 'json', default: { size: 1 } },
  author: { type: 'relation', relation: 'manyToOne', target: 'author' },
  tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
  cover: { type: 'media' },
  gallery: { type: 'media', multiple: true },
  hash: { type: 'string', private: true },
  quotes: { type: 'relation', relation: 'oneToMany', target: 'quote', mappedBy: 'article' },
}

describe('the payload of a new entry', () => {
  const checker = checkerOf(article)

  it('has a value for every column, defaults filled in', () => {
    const { columns, links, references } = checker.forCreate({ title: 'x' }, now)
    assert.deepEqual(
      { ...columns },
      {
        title: 'x',
        views: 0,
        is_featured: null,
        price: 1.5,
        seen_at: now,
        settings: { size: 1 },
        author: null,
        cover: null,
      },
    )
    assert.deepEqual([...links], [])
    assert.deepEqual([...references], [])
  })

  it('keeps null where a default is not wanted', () => {
    const { columns } = checker.forCreate({ title: 'x', views: null, seenAt: null }, now)
    assert.equal(columns.views, null)
    assert.equal(columns.seen_at, null)
  })

  it('gives every entry a default of its own', () => {
    const first = checker.forCreate({ title: 'x' }, now).columns.settings
    const second = checker.forCreate({ title: 'y' }, now).columns.settings
    assert.notEqual(first, second)
  })

  it('tells the ids that must exist, with their paths', () => {
    const body = { title: 'x', author: 7, tags: [3, 1, 3], cover: 9, gallery: [9, 8] }
    const { columns, links, references } = checker.forCreate(body, now)
    assert.equal(columns.author, 7)
    assert.deepEqual(Object.fromEntries(links), { tags: [3, 1], gallery: [9, 8] })
    assert.deepEqual(placesOf(references), {
      author: [{ id: 7, path: 'author' }],
      tag: [
        { id: 3, path: 'tags.0' },
        { id: 1, path: 'tags.1' },
      ],
      media: [
        { id: 9, path: 'cover' },
        { id: 9, path: 'gallery.0' },
        { id: 8, path: 'gallery.1' },
      ],
    })
  })

  it('is refused with all of its problems', () => {
    const body = {
      title: 'longer than ten',
      views: '1',
      author: { id: 7 },
      tags: ['a', 0],
      nothing: 1,
      quotes: [],
    }
    assert.deepEqual(problemsOf(() => checker.forCreate(body, now)).sort(), [
      'author type',
      'nothing unknown',
      'quotes readOnly',
      'tags.0 type',
      'tags.1 type',
      'title maxLength',
      'views type',
    ])
  })

  it('lacks nothing that is required', () => {
    for (const body of [{}, { title: null }, { title: '' }, { title: undefined }]) {
      assert.deepEqual(
        problemsOf(() => checker.forCreate(body, now)),
        ['title required'],
      )
    }
  })

  it('is an object', () => {
    for (const body of [undefined, null, 'text', 5, true, [], [{ title: 'x' }]]) {
      assert.deepEqual(
        problemsOf(() => checker.forCreate(body, now)),
        ['body type'],
      )
    }
  })

  it('may hold the system fields that were read, whatever their values', () => {
    const read = { id: 'x', created_at: 1, createdAt: 1, updated_at: 1, updatedAt: 1, published_at: 1 }
    const more = { publishedAt: 1, deleted_at: 1, deletedAt: 1, version: 1 }
    const { columns } = checker.forCreate({ ...read, ...more, title: 'x' }, now)
    assert.equal('id' in columns, false)
    assert.equal(Object.keys(columns).length, 8)
  })

  it('has no member by the name of something that every object inherits', () => {
    const body = JSON.parse(
      '{"title":"x","__proto__":{"views":5},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":1}',
    )
    assert.deepEqual(problemsOf(() => checker.forCreate(body, now)).sort(), [
      '__proto__ unknown',
      'constructor unknown',
      'hasOwnProperty unknown',
      'toString unknown',
    ])
  })

  it('cannot set attributes that never leave the service', () => {
    assert.deepEqual(
      problemsOf(() => checker.forCreate({ title: 'x', hash: 'y' }, now)),
      ['hash unknown'],
    )
  })

  it('may hold what a plugin asks to be ignored', () => {
    const tolerant = compilePayload(contentType('thing', article), schemasOf(), { ignored: ['state'] })
    assert.equal('state' in tolerant.forCreate({ title: 'x', state: 'draft' }, now).columns, false)
    assert.deepEqual(
      problemsOf(() => checker.forCreate({ title: 'x', state: 'draft' }, now)),
      ['state unknown'],
    )
  })

  it('of a new entry may leave out what is inherited, which is not checked', () => {
    const required = checkerOf({
      title: { type: 'string', required: true, maxLength: 3 },
      rank: { type: 'integer', required: true, default: 1 },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    })
    const inherited = { title: 'too long', rank: null, tags: [3, 1] }
    const { columns, links, references } = required.forCreate({}, now, inherited)
    assert.deepEqual(columns, { title: 'too long', rank: null })
    assert.deepEqual([...links], [['tags', [3, 1]]])
    assert.equal(references.size, 0)
    assert.deepEqual(
      problemsOf(() => required.forCreate({ title: 'long' }, now, inherited)),
      ['title maxLength'],
    )
  })

  it('takes attributes by the name of what every object inherits, when they are declared', () => {
    const odd = checkerOf({
      constructor: { type: 'string' as const },
      valueOf: { type: 'string' as const, required: true },
    })
    assert.deepEqual(
      problemsOf(() => odd.forCreate({}, now)),
      ['valueOf required'],
    )
    assert.deepEqual(
      { ...odd.forCreate({ valueOf: 'x' }, now).columns },
      { constructor: null, value_of: 'x' },
    )
  })

  it('is refused with no more than two hundred problems, and short ones', () => {
    const body = {
      title: 'x',
      tags: Array.from({ length: 100_000 }, (_, index) => -index),
      ['k'.repeat(1e6)]: 1,
    }
    const problems = problemsOf(() => checker.forCreate(body, now))
    assert.equal(problems.length, 200)
    assert.ok(problems.every((problem) => problem.length < 150))
  })

  it('needs defaults that pass their own checks', () => {
    assert.throws(() => checkerOf({ title: { type: 'string', maxLength: 1, default: 'ab' } }), /title/)
  })
})

describe('the payload of a change', () => {
  const checker = checkerOf(article)
  const current = { id: 1, title: 'x', views: 3 }

  it('comes to what was sent, and nothing else', () => {
    const { columns, links, references } = checker.forUpdate(
      { views: 4, isFeatured: null, tags: [2] },
      current,
    )
    assert.deepEqual({ ...columns }, { views: 4, is_featured: null })
    assert.deepEqual(Object.fromEntries(links), { tags: [2] })
    assert.deepEqual([...references.keys()], ['tag'])
    assert.deepEqual({ ...checker.forUpdate({}, current).columns }, {})
  })

  it('clears links by null or an empty array', () => {
    assert.deepEqual(
      [...checker.forUpdate({ tags: null, gallery: [] }, current).links],
      [
        ['tags', []],
        ['gallery', []],
      ],
    )
  })

  it('cannot clear what is required', () => {
    for (const title of [null, '']) {
      assert.deepEqual(
        problemsOf(() => checker.forUpdate({ title }, current)),
        ['title required'],
      )
    }
  })

  it('is checked as that of a new entry is', () => {
    assert.deepEqual(
      problemsOf(() => checker.forUpdate({ views: 'x', nothing: 1, hash: 'x' }, current)).sort(),
      ['hash unknown', 'nothing unknown', 'views type'],
    )
    assert.deepEqual(
      problemsOf(() => checker.forUpdate(null, current)),
      ['body type'],
    )
  })

  it('can send back what was read', () => {
    const read = { ...current, created_at: now, updated_at: now, tags: [1], author: null }
    assert.deepEqual(Object.keys(checker.forUpdate(read, current).columns).sort(), [
      'author',
      'title',
      'views',
    ])
  })
})
