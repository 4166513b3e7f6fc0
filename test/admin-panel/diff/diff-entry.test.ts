import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DescribedAttribute } from '../../../client/admin.ts'
import type { BlockChange } from '../../../core-plugins/panel/admin-panel/app/content/entry/diff/change.ts'
import {
  diffEntry,
  type Values,
} from '../../../core-plugins/panel/admin-panel/app/content/entry/diff/diff-entry.ts'

const field = (name: string, type: string, options: object = {}): DescribedAttribute => ({
  name,
  type,
  required: false,
  localized: false,
  ...options,
})

const quote = [field('text', 'text'), field('by', 'relation', { target: 'author' })]

const article = [
  field('title', 'string'),
  field('body', 'richtext'),
  field('rank', 'integer'),
  field('price', 'decimal'),
  field('at', 'datetime'),
  field('extra', 'json'),
  field('colour', 'color'),
  field('author', 'relation', { target: 'author' }),
  field('categories', 'relation', { target: 'category', many: true }),
  field('comments', 'relation', { target: 'comment', many: true, inverse: true }),
  field('cover', 'media'),
  field('seo', 'component', { component: 'shared.quote', repeatable: false }),
  field('quotes', 'component', { component: 'shared.quote', repeatable: true }),
  field('blocks', 'dynamicZone', { components: ['shared.quote'] }),
]

const fieldsOf = (uid: string) => (uid === 'shared.quote' ? quote : [])

const diff = (before: Values, after: Values) => diffEntry(article, before, after, fieldsOf)

/** The change of the only field that has one. */
function only(before: Values, after: Values) {
  const changes = diff(before, after)
  assert.equal(changes.length, 1)
  return changes[0]?.change
}

describe('the difference of two versions of an entry', () => {
  it('is nothing where they say the same', () => {
    const values = { title: 'a', rank: 1, extra: { a: 1, b: [1] }, author: 1, categories: [1, 2] }
    assert.deepEqual(diff(values, { ...values }), [])
    assert.deepEqual(diff({ title: null }, {}), [])
    assert.deepEqual(diff({ extra: { a: 1, b: 2 } }, { extra: { b: 2, a: 1 } }), [])
    assert.deepEqual(diff({ author: 1 }, { author: { id: 1, name: 'Ann' } }), [])
    assert.deepEqual(diff({ at: '2026-01-01T10:00:00.000Z' }, { at: '2026-01-01T11:00:00+01:00' }), [])
    assert.deepEqual(diff({ price: 1.5 }, { price: '1.5' }), [])
    assert.deepEqual(diff({ comments: [1] }, { comments: [2] }), [])
  })

  it('tells texts word by word', () => {
    assert.deepEqual(only({ title: 'A good day' }, { title: 'A better day' }), {
      kind: 'text',
      of: 'words',
      parts: [
        { kind: 'same', text: 'A ' },
        { kind: 'removed', text: 'good' },
        { kind: 'added', text: 'better' },
        { kind: 'same', text: ' day' },
      ],
    })
  })

  it('reads rich text, and shows its source only where the words are the same', () => {
    const words = only({ body: '<p>Ham &amp; eggs</p>' }, { body: '<p>Ham &amp; <b>cheese</b></p>' })
    assert.deepEqual(words, {
      kind: 'text',
      of: 'words',
      parts: [
        { kind: 'same', text: 'Ham & ' },
        { kind: 'removed', text: 'eggs' },
        { kind: 'added', text: 'cheese' },
      ],
    })
    const markup = only({ body: '<p>Ham</p>' }, { body: '<p><b>Ham</b></p>' })
    assert.ok(markup?.kind === 'text' && markup.of === 'markup')
  })

  it('takes other values as a whole, those of unknown types included', () => {
    assert.deepEqual(only({ rank: 1 }, { rank: 2 }), { kind: 'value', before: 1, after: 2 })
    assert.deepEqual(only({ colour: '#fff' }, { colour: null }), {
      kind: 'value',
      before: '#fff',
      after: null,
    })
    const extra = only({ extra: { a: 1 } }, { extra: { a: 2 } })
    assert.ok(extra?.kind === 'text' && extra.of === 'code')
  })

  it('names the references that came, went and changed places', () => {
    assert.deepEqual(only({ categories: [1, 2, 3] }, { categories: [3, 1, 4] }), {
      kind: 'references',
      target: 'category',
      added: [4],
      removed: [2],
      isReordered: true,
    })
    assert.deepEqual(only({ cover: 7 }, { cover: null }), {
      kind: 'references',
      target: undefined,
      added: [],
      removed: [7],
      isReordered: false,
    })
  })

  it('looks into components', () => {
    const change = only({ seo: { text: 'a', by: 1 } }, { seo: { text: 'a', by: 2 } })
    assert.ok(change?.kind === 'component')
    assert.equal(change.state, 'changed')
    assert.deepEqual(
      change.fields.map((each) => each.field),
      ['by'],
    )
    const removed = only({ seo: { text: 'a' } }, { seo: null })
    assert.ok(removed?.kind === 'component' && removed.state === 'removed')
  })
})

describe('the difference of blocks', () => {
  const block = (id: number, text: string) => ({ __component: 'shared.quote', id, text })

  function blocks(before: readonly object[], after: readonly object[]): readonly BlockChange[] {
    const change = only({ blocks: before }, { blocks: after })
    assert.ok(change?.kind === 'blocks')
    return change.blocks
  }

  it('knows a block by its id wherever it goes', () => {
    const before = [block(1, 'a'), block(2, 'b'), block(3, 'c'), block(4, 'd')]
    const after = [block(4, 'd'), block(1, 'a!'), block(2, 'b'), block(5, 'e')]
    assert.deepEqual(
      blocks(before, after).map(({ state, from, to, hasMoved }) => ({ state, from, to, hasMoved })),
      [
        { state: 'moved', from: 3, to: 0, hasMoved: true },
        { state: 'changed', from: 0, to: 1, hasMoved: false },
        { state: 'removed', from: 2, to: undefined, hasMoved: false },
        { state: 'added', from: undefined, to: 3, hasMoved: false },
      ],
    )
  })

  it('finds equal blocks without an id, and takes one in the place of another for the same', () => {
    const quotes = (...texts: string[]) => ({ quotes: texts.map((text) => ({ text })) })
    const changed = only(quotes('a', 'b', 'c'), quotes('a', 'b!', 'c'))
    assert.ok(changed?.kind === 'blocks')
    assert.deepEqual(
      changed.blocks.map(({ state, from, to, uid }) => ({ state, from, to, uid })),
      [{ state: 'changed', from: 1, to: 1, uid: 'shared.quote' }],
    )
    const replaced = only(quotes('a', 'b', 'c'), quotes('a', 'c', 'new'))
    assert.ok(replaced?.kind === 'blocks')
    assert.deepEqual(
      replaced.blocks.map(({ state, from, to }) => ({ state, from, to })),
      [
        { state: 'removed', from: 1, to: undefined },
        { state: 'added', from: undefined, to: 2 },
      ],
    )
  })

  it('never takes two blocks with ids of their own for one', () => {
    const found = blocks([block(1, 'a')], [block(2, 'a!')])
    assert.deepEqual(
      found.map(({ state }) => state),
      ['removed', 'added'],
    )
  })

  it('tells all that is in a new block', () => {
    const [added] = blocks([], [block(1, 'hello')])
    assert.deepEqual(added?.fields, [
      { field: 'text', change: { kind: 'text', of: 'words', parts: [{ kind: 'added', text: 'hello' }] } },
    ])
  })
})
