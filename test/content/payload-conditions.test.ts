import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { componentType } from './payload-model.ts'
import { checkerOf, now, problemsOf } from './payload-problems.ts'

/** Whether `url` is required beside this value of `kind`, under a condition on `kind`. */
function isRequired(operator: string, value: unknown, kind: unknown): boolean {
  const condition = { field: 'kind', operator, value }
  const checker = checkerOf({ kind: { type: 'json' }, url: { type: 'string', required: true, condition } })
  return checker.forCreate({ kind }, now).problems.length > 0
}

describe('a condition', () => {
  it('waives required while it does not hold', () => {
    const cases: [operator: string, value: unknown, shownFor: unknown[], hiddenFor: unknown[]][] = [
      ['eq', 'video', ['video'], ['image', '', null, undefined, 5, ['video']]],
      ['eq', null, [null, undefined], ['video', 0, false]],
      ['eq', { a: [1] }, [{ a: [1] }], [{ a: [2] }]],
      ['neq', 'video', ['image', null, undefined], ['video']],
      ['in', ['video', 1], ['video', 1], ['image', '1', null]],
      ['notIn', ['video', 1], ['image', null], ['video', 1]],
      ['in', 'video', [], ['video', 'v']],
      ['exists', true, ['', 0, false, []], [null, undefined]],
      ['exists', false, [null, undefined], ['', 0]],
      ['empty', true, [null, undefined, '', []], [0, false, 'x', [0]]],
      ['empty', false, [0, false, 'x'], [null, '', []]],
    ]
    for (const [operator, value, shownFor, hiddenFor] of cases) {
      for (const kind of shownFor)
        assert.ok(isRequired(operator, value, kind), `${operator} ${value}: ${kind}`)
      for (const kind of hiddenFor)
        assert.ok(!isRequired(operator, value, kind), `${operator} ${value}: ${kind}`)
    }
  })

  const conditional = checkerOf({
    kind: { type: 'enum', values: ['video', 'text'], default: 'video' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    isLong: { type: 'boolean', column: 'long_one' },
    url: { type: 'string', required: true, condition: { field: 'kind', operator: 'eq', value: 'video' } },
    note: { type: 'string', required: true, condition: { field: 'tags', operator: 'eq', value: [1, 2] } },
    summary: { type: 'string', required: true, condition: { field: 'isLong', operator: 'eq', value: true } },
  })

  it('sees defaults, links and columns of a new entry', () => {
    assert.deepEqual(
      problemsOf(() => conditional.forCreate({}, now)),
      ['url required'],
    )
    assert.deepEqual(conditional.forCreate({ kind: 'text' }, now).problems, [])
    const body = { kind: 'text', tags: [1, 2, 1], isLong: true }
    assert.deepEqual(
      problemsOf(() => conditional.forCreate(body, now)),
      ['note required', 'summary required'],
    )
  })

  it('sees the entry as it will be after a change', () => {
    const current = { kind: 'text', url: null, tags: [1, 2], note: 'n', isLong: null, summary: '' }
    assert.deepEqual(conditional.forUpdate({ url: null }, current).problems, [])
    assert.deepEqual(
      problemsOf(() => conditional.forUpdate({ note: null }, current)),
      ['note required'],
    )
    assert.deepEqual(conditional.forUpdate({ note: null, tags: [] }, current).problems, [])
    assert.deepEqual(
      problemsOf(() => conditional.forUpdate({ kind: 'video' }, current)),
      ['url required'],
    )
    assert.deepEqual(conditional.forUpdate({ kind: 'video', url: 'u' }, current).problems, [])
    assert.deepEqual(conditional.forUpdate({ kind: 'video' }, { ...current, url: 'u' }).problems, [])
    assert.deepEqual(
      problemsOf(() => conditional.forUpdate({ isLong: true }, current)),
      ['summary required'],
    )
  })

  it('is about the component that it stands in', () => {
    const media = componentType('shared.media', {
      kind: { type: 'string' },
      url: { type: 'string', required: true, condition: { field: 'kind', operator: 'eq', value: 'video' } },
    })
    const checker = checkerOf(
      { kind: { type: 'string' }, media: { type: 'component', component: 'shared.media', repeatable: true } },
      media,
    )
    const body = {
      kind: 'text',
      media: [{ kind: 'text' }, { kind: 'video' }, { kind: 'video', url: 'u' }, {}],
    }
    assert.deepEqual(
      problemsOf(() => checker.forCreate(body, now)),
      ['media.1.url required'],
    )
    assert.deepEqual(
      problemsOf(() => checker.forUpdate({ media: body.media }, {})),
      ['media.1.url required'],
    )
  })

  it('does not keep a hidden field from being checked', () => {
    assert.deepEqual(
      problemsOf(() => conditional.forCreate({ kind: 'text', url: 5 }, now)),
      ['url type'],
    )
  })
})
