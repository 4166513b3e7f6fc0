import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchItems } from '../../core-plugins/entries/content/write/hidden-links/match-items.ts'

interface Written {
  readonly id?: unknown
  readonly uid?: string
  readonly title?: string
  readonly text?: string
  readonly kind?: string
}

const item = ({ id, uid = 'x.part', title = '', text = '', kind = '' }: Written) => ({
  ...{ uid, id, values: [title, text, kind] },
  // One of a few options tells no items apart.
  isTelling: [true, true, false],
})

/** For each of the items that are sent the index of the stored one that it is, or null. */
const match = (stored: readonly Written[], sent: readonly Written[]) =>
  matchItems(stored.map(item), sent.map(item)).map((index) => index ?? null)

const [a, b, c] = [
  { title: 'a', text: 'first' },
  { title: 'b', text: 'second' },
  { title: 'c', text: 'third' },
]
const fresh = { title: 'x', text: 'fresh' }

describe('items of a list that is sent back', () => {
  it('are the ones with the same id, wherever they are and whatever has changed', () => {
    const stored = [a, b, c].map((each, index) => ({ ...each, id: index + 1 }))
    const changed = (id: number) => ({ id, title: `new ${id}` })
    assert.deepEqual(match(stored, [changed(3), changed(1), changed(2)]), [2, 0, 1])
    assert.deepEqual(match(stored, [changed(3)]), [2])
    assert.deepEqual(match(stored, [{ ...fresh, id: 9 }, changed(2)]), [null, 1])
    // Another id is another item, even if it looks the same.
    assert.deepEqual(match(stored, [{ ...a, id: 9 }]), [null])
    assert.deepEqual(match([{ ...a, id: 1 }], [{ ...a, id: 1, uid: 'x.other' }]), [null])
  })

  it('are the ones that look the same, in any order, with some of them gone and others new', () => {
    assert.deepEqual(match([a, b, c], [a, b, c]), [0, 1, 2])
    assert.deepEqual(match([a, b, c], [c, a, b]), [2, 0, 1])
    assert.deepEqual(match([a, b, c], [b]), [1])
    assert.deepEqual(match([a, b, c], [fresh, a, fresh, c]), [null, 0, null, 2])
    assert.deepEqual(match([a, b], [{ ...b, id: 'new' }, a]), [1, 0])
    assert.deepEqual(match([{ ...a, id: 1 }, b], [b, a]), [1, 0])
  })

  it('are in their places where several look the same', () => {
    assert.deepEqual(match([a, a, a], [a, a, a]), [0, 1, 2])
    assert.deepEqual(match([a, b, a], [fresh, b, a]), [null, 1, 2])
    assert.deepEqual(match([a, a], [a]), [0])
  })

  it('are the ones that they are most like, if that is clear', () => {
    assert.deepEqual(match([a, b], [fresh, { ...a, text: 'changed' }]), [null, 0])
    assert.deepEqual(
      match(
        [a, b, c],
        [
          { ...c, title: 'c2' },
          { ...a, text: 'a2' },
          { ...b, text: 'b2' },
        ],
      ),
      [2, 0, 1],
    )
    const alike = [{ title: 'same', text: 'one' }, fresh]
    assert.deepEqual(match([{ title: 'same', text: 'other' }], [...alike, { title: 'same' }]), [
      null,
      null,
      null,
    ])
  })

  it('are the ones in whose place they are, unless nothing of those is left', () => {
    const short = [{ title: 'one' }, { title: 'two' }, { title: 'three' }]
    assert.deepEqual(match(short, [{ title: 'one' }, { title: 'new' }, { title: 'three' }]), [0, 1, 2])
    assert.deepEqual(match([{ title: 'one' }], [{ title: 'new' }]), [0])
    assert.deepEqual(match(short, [{ title: 'three' }, { title: 'new' }, { title: 'one' }]), [2, null, 0])
    assert.deepEqual(match([a], [fresh]), [null])
    assert.deepEqual(match([{ ...a, kind: 'k' }], [{ ...fresh, kind: 'k' }]), [null])
    // More or fewer than there were: any of them may be the new one.
    assert.deepEqual(match([{ title: 'one' }], [{ title: 'new' }, { title: 'newer' }]), [null, null])
    assert.deepEqual(match([{ title: 'one' }, { title: 'two' }], [{ title: 'new' }]), [null])
  })

  it('are found among thousands that look the same', () => {
    const many = Array.from({ length: 20_000 }, () => a)
    const moved = [fresh, ...many]
    assert.equal(
      matchItems(many.map(item), moved.map(item)).filter((index) => index !== undefined).length,
      20_000,
    )
    const others = Array.from({ length: 20_000 }, (_, index) => ({ title: `t${index}`, text: `u${index}` }))
    assert.ok(matchItems(many.map(item), others.map(item)).every((index) => index === undefined))
  })
})
