import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInTypes } from '../../../core-plugins/foundation/schemas/field-types/built-in.ts'
import { diffEntry } from '../../../core-plugins/panel/admin-panel/app/content/entry/diff/diff-entry.ts'
import { typedValue } from '../../../core-plugins/panel/admin-panel/app/content/schema/typed-value.ts'
import {
  contributeValues,
  isBuiltInType,
  valueKindOf,
} from '../../../core-plugins/panel/admin-panel/app/content/schema/value-kinds.ts'

const changeOf = (type: string) =>
  diffEntry(
    [{ name: 'phone', type, required: false, localized: false }],
    { phone: '+41 1' },
    { phone: '+41 2' },
    () => [],
  )[0]?.change.kind

describe('what the panel knows of the values of a field type', () => {
  it('covers every type that a service has without plugins', () => {
    assert.deepEqual(
      Object.keys(builtInTypes).filter((type) => !isBuiltInType(type)),
      [],
    )
  })

  it('offers filters by text only where the service takes them', () => {
    for (const type of Object.values(builtInTypes)) {
      if (!('filter' in type) || valueKindOf(type.name).operand !== 'text') continue
      assert.ok(type.filter.operators.includes('$containsi'), type.name)
    }
  })

  it('is little for a plugin’s type that says nothing: shown as text, not sorted or filtered by', () => {
    assert.deepEqual(valueKindOf('stranger'), { column: 'text' })
    assert.equal(changeOf('stranger'), 'value')
  })

  it('is what a plugin names a built-in type for', () => {
    contributeValues('phone', 'string')
    assert.equal(valueKindOf('phone'), valueKindOf('string'))
    assert.equal(changeOf('phone'), 'text')
  })

  it('keeps a number that a double would change as it was typed', () => {
    assert.deepEqual(
      [' 7 ', '-12', '1234567890123456', '1.5', ''].map((text) => typedValue(text, 'integer')),
      [7, -12, '1234567890123456', '1.5', ''],
    )
  })
})
