import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileModels, type EntryModel } from '../../core-plugins/entries/content/entry/entry-model.ts'
import {
  BrokenReference,
  explainRemoveError,
  explainStoreError,
  failedAlike,
  failedTogether,
  NotReached,
  ValuesTaken,
} from '../../core-plugins/entries/content/write/write-errors.ts'
import { DatabaseError, type DatabaseErrorKind } from '../../core-plugins/foundation/database/database.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { isReference } from '../../core-plugins/foundation/schemas/schemas.ts'
import { blogSchemas } from './blog-schemas.ts'

const model = compileModels(blogSchemas()).get('article') as EntryModel

const error = (kind: DatabaseErrorKind, columns: readonly string[] = []) =>
  new DatabaseError(kind, 'as the database puts it', { columns })

const others: readonly unknown[] = [
  ...(['deadlock', 'busy', 'unavailable', 'full', 'other'] as const).map((kind) => error(kind)),
  new Error('unforeseen'),
]

describe('a write that the database refuses', () => {
  it('is explained where the client can do something about it, and left as it is elsewhere', () => {
    const attribute = model.type.attributes.get('author')
    assert.ok(isReference(attribute))
    const attempt = { references: new Map([['author', [{ id: 9, path: 'author', attribute }]]]) }
    for (const other of others) {
      assert.equal(explainStoreError(other, model, attempt), other)
      assert.equal(explainRemoveError(other, model, 1), other)
    }
    const broken = explainStoreError(error('reference'), model, attempt)
    assert.ok(broken instanceof BrokenReference)
    assert.deepEqual(
      broken.details?.map(({ path, code }) => [path, code]),
      [['author', 'reference']],
    )
    const held = explainRemoveError(error('reference'), model, 1)
    assert.ok(held instanceof AppError && held.code === 'RESTRICTED')
    const unique = error('unique', ['slug'])
    assert.equal(explainRemoveError(unique, model, 1), unique)
  })

  const taken = (columns: readonly string[], sent: object, before?: object): ValuesTaken => {
    const references = new Map()
    const found = explainStoreError(error('unique', columns), model, {
      ...{ references, columns: { ...sent } },
      ...(before === undefined ? {} : { before: { id: 1, ...before } }),
    })
    assert.ok(found instanceof ValuesTaken)
    return found
  }

  it('for values that are taken tells which, and keeps them to look for their holder', () => {
    const { details, message, taken: values } = taken(['slug'], { slug: 'a', title: 'b' })
    assert.match(message, /^slug: is already taken$/)
    assert.deepEqual(details, [{ path: 'slug', code: 'unique', message: 'is already taken' }])
    assert.deepEqual([...values.values], [['slug', { value: 'a', kind: 'string' }]])
  })

  it('takes what a change leaves as it is from the entry', () => {
    const { values } = taken(['slug', 'rank'], { rank: 0 }, { slug: 'a', rank: 5 }).taken
    assert.deepEqual(
      [...values],
      [
        ['slug', { value: 'a', kind: 'string' }],
        ['rank', { value: 0, kind: 'integer' }],
      ],
    )
  })

  it('keeps none where one of them cannot be told', () => {
    assert.equal(taken(['slug', 'rank'], { slug: 'a' }).taken.values.size, 0)
    assert.equal(taken(['slug', 'rank'], { slug: 'a', rank: null }, { rank: 5 }).taken.values.size, 0)
    const { details, taken: values } = taken(['slug', 'locale'], { slug: 'a', locale: 'en' })
    assert.equal(values.values.size, 0)
    assert.deepEqual(
      details?.map(({ path }) => path),
      ['slug', 'locale'],
    )
    const none = taken([], {})
    assert.match(none.message, /^a value that must be unique is already taken$/)
    assert.equal(none.details, undefined)
  })

  it('tells those who may know which entry in the trash is in the way', () => {
    const told = taken(['slug'], { slug: 'a' }).inTrash(7)
    assert.equal(told.code, 'CONFLICT')
    assert.match(told.message, /^slug: is already taken by article 7 in the trash;/)
    assert.match(told.details?.[0]?.message ?? '', /article 7 in the trash/)
    assert.match(
      taken([], {}).inTrash(7).message,
      /^a value that must be unique is already taken by article 7/,
    )
  })
})

describe('entries that could not be written together', () => {
  const refused = (message: string) => new AppError('FORBIDDEN', message)
  const unforeseen = new Error('unforeseen')

  it('are told each with why, by the first of the reasons', () => {
    const found = failedTogether('article', [
      { id: 4, reason: new NotReached() },
      { id: 2, reason: refused('says no') },
      { id: 3, reason: unforeseen },
      { id: 5, reason: new AppError('CONFLICT', 'is taken') },
    ])
    assert.ok(found instanceof AppError)
    assert.equal(found.code, 'FORBIDDEN')
    assert.equal(found.message, 'article:2 says no (and 1 more)')
    assert.deepEqual(
      found.details?.map(({ path, code }) => `${path} ${code}`),
      ['article:2 FORBIDDEN', 'article:5 CONFLICT'],
    )
    const alone = failedTogether('article', [{ id: 2, reason: refused('says no') }])
    assert.equal((alone as AppError).message, 'article:2 says no')
  })

  it('leave what nobody has foreseen as it is, and tell the cause rather than what followed of it', () => {
    const failures = [
      { id: 1, reason: new NotReached() },
      { id: 2, reason: unforeseen },
      { id: 3, reason: new Error('another') },
    ]
    assert.equal(failedTogether('article', failures), unforeseen)
    assert.equal(failedAlike('article', failures), unforeseen)
  })
})
