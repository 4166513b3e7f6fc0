import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileCondition } from '../../../core-plugins/entries/content/payload/condition.ts'
import { isMet } from '../../../core-plugins/panel/admin-panel/app/content/entry/form/condition.ts'

const actual = [undefined, null, '', 'event', 'talk', true, false, 0, 1, [], ['event'], [1, 2], {}, { a: 1 }]
const operators = ['eq', 'neq', 'in', 'notIn', 'exists', 'empty'] as const
const expected = [true, false, 'event', 1, ['event', 'talk'], [1, 2], null]

describe('conditions of fields', () => {
  it('hold in the form where they hold for the service', () => {
    for (const operator of operators) {
      for (const value of expected) {
        const condition = { field: 'kind', operator, value } as Parameters<typeof compileCondition>[0]
        const holds = compileCondition(condition)
        for (const each of actual) {
          const where = `${operator} ${JSON.stringify(value)} of ${JSON.stringify(each)}`
          assert.equal(
            isMet(condition, each),
            holds(() => each),
            where,
          )
        }
      }
    }
  })

  it('hide nothing where the operator is not known', () => {
    assert.equal(isMet({ field: 'kind', operator: 'like', value: 'x' }, 'y'), true)
  })
})
