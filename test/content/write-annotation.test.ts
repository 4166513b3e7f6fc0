import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  annotate,
  WriteAnnotations,
  writeAnnotation,
} from '../../core-plugins/entries/content/write-annotation.ts'

const reason = writeAnnotation<string>('test.reason')
const attempt = writeAnnotation<number>('test.attempt')

describe('WriteAnnotations', () => {
  it('returns the value of an annotation, and undefined without one', () => {
    const annotations = annotate(reason, 'import')

    assert.equal(annotations.get(reason), 'import')
    assert.equal(annotations.get(attempt), undefined)
    assert.equal(WriteAnnotations.none.get(reason), undefined)
  })

  it('distinguishes an annotation whose value is undefined from a missing one', () => {
    const marker = writeAnnotation<undefined>('test.marker')

    assert.equal(annotate(marker, undefined).has(marker), true)
    assert.equal(WriteAnnotations.none.has(marker), false)
  })

  it('keeps the other annotations when one is added or replaced', () => {
    const annotations = annotate(reason, 'import').with(attempt, 1).with(attempt, 2)

    assert.equal(annotations.get(reason), 'import')
    assert.equal(annotations.get(attempt), 2)
  })

  it('never changes: adding an annotation returns a copy', () => {
    const before = annotate(reason, 'import')
    const after = before.with(attempt, 1).with(reason, 'sync')

    assert.equal(after.get(reason), 'sync')
    assert.equal(before.get(reason), 'import')
    assert.equal(before.has(attempt), false)
    assert.equal(WriteAnnotations.none.has(reason), false)
  })

  it('tells tokens apart by identity, so that nobody can forge one by its id', () => {
    assert.equal(annotate(reason, 'import').has(writeAnnotation<string>('test.reason')), false)
  })
})
