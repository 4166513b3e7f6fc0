import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inPlace, type Placed, type Placement, PlacementCircle } from '../../kernel/placement.ts'

const item = (plugin: string, placement: Placement = {}, order = 0): Placed => ({ plugin, placement, order })

const nameOf = ({ plugin, placement: { step } }: Placed) =>
  step === undefined ? plugin : `${plugin}:${step}`

const sorted = (...items: Placed[]) => inPlace(items).map(nameOf)

describe('inPlace', () => {
  it('leaves what nobody places as it came', () => {
    assert.deepEqual(sorted(item('b'), item('a'), item('c')), ['b', 'a', 'c'])
  })

  it('keeps to names of plugins and of their steps, and passes over those that nothing has', () => {
    assert.deepEqual(
      sorted(item('a'), item('b', { before: ['a', 'nobody'] }), item('c', { after: ['nobody'] })),
      ['b', 'a', 'c'],
    )
    assert.deepEqual(
      sorted(item('a', { after: ['b:late'] }), item('b', { step: 'early' }), item('b', { step: 'late' })),
      ['b:early', 'b:late', 'a'],
    )
    assert.deepEqual(
      sorted(item('a', { after: ['b'] }), item('b', { step: 'early' }), item('b', { step: 'late' })),
      ['b:early', 'b:late', 'a'],
    )
  })

  it('has a plugin name itself to place a step among its others', () => {
    assert.deepEqual(sorted(item('a'), item('a', { step: 'first', before: ['a'] })), ['a:first', 'a'])
  })

  it('puts both ends around all others, and in their places what names them', () => {
    assert.deepEqual(
      sorted(
        item('a', {}, -5),
        item('end', { after: ['*'] }),
        item('behind', { after: ['end'] }),
        item('beginning', { before: ['*'] }),
        item('ahead', { before: ['beginning'] }),
        item('b'),
      ),
      ['ahead', 'beginning', 'a', 'b', 'end', 'behind'],
    )
  })

  it('moves who says what it comes before, and has wait who says what it comes after', () => {
    assert.deepEqual(
      sorted(
        item('a'),
        item('first', { before: ['*'] }),
        item('b', { before: ['c'] }),
        item('c', { before: ['first'] }),
      ),
      ['b', 'c', 'first', 'a'],
    )
    assert.deepEqual(sorted(item('a', { after: ['c'] }), item('b'), item('c')), ['b', 'c', 'a'])
  })

  it('goes by numbers where names leave it open', () => {
    assert.deepEqual(sorted(item('a'), item('b', {}, -1)), ['b', 'a'])
    assert.deepEqual(
      sorted(item('a', {}, 1), item('b'), item('c', {}, -1), item('d', { before: ['c'] }, 9)),
      ['d', 'c', 'b', 'a'],
    )
  })

  it('names all members of a circle, and none beside it', () => {
    const items = [item('a', { before: ['b'] }), item('b', { before: ['c'] }), item('c', { before: ['b'] })]
    assert.throws(
      () => inPlace(items),
      (error) =>
        error instanceof PlacementCircle &&
        error.message === 'these come before each other in a circle: b → c → b' &&
        error.members.length === 2,
    )
  })
})
