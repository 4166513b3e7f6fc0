import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyDelta, makeDelta } from '../../core-plugins/editing/revisions/delta.ts'
import { slow } from '../support/scope.ts'

const paragraph = (seed: number) =>
  Array.from({ length: 60 }, (_, index) => `word${(seed * 7919 + index * 104_729) % 9973}`).join(' ')
const long = Array.from({ length: 250 }, (_, seed) => paragraph(seed)).join('\n')

describe('a delta', () => {
  it('makes the text again, whatever the two are', slow, () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 5 }),
        fc.constantFrom(paragraph(1), paragraph(2), 'a'.repeat(80)),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(text, text, (base, changed) => {
        const [from, to] = [base.join(''), changed.join('')]
        assert.equal(applyDelta(from, makeDelta(from, to)), to)
      }),
      { numRuns: 500 },
    )
  })

  it('is small where little differs, also in several places and when paragraphs move', () => {
    const edited = `A new start. ${long.replace(paragraph(50), '').replace('word10 ', 'another ')}The end.`
    const moved = long.replace(paragraph(3), '').concat(paragraph(3))
    for (const text of [edited, moved]) {
      const delta = makeDelta(long, text)
      assert.equal(applyDelta(long, delta), text)
      assert.ok(delta.length < 1_000, `${delta.length} of ${text.length}`)
    }
  })

  it('keeps halves of surrogate pairs and quotes', () => {
    const [from, to] = ['😀"', '😁\ud83d"\\']
    assert.equal(applyDelta(from, makeDelta(from, to)), to)
  })
})
