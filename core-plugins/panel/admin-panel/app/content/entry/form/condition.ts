import type { DescribedAttribute } from '../../../../../../../client/admin.ts'
import { isSameValue } from '../../schema/same-value.ts'

export type Condition = NonNullable<DescribedAttribute['condition']>

/** Whether a field is shown, given the value of the field that its condition names. The service applies the same rule. */
export function isMet({ operator, value: expected }: Condition, actual: unknown): boolean {
  switch (operator) {
    case 'eq':
      return isSame(actual, expected)
    case 'neq':
      return !isSame(actual, expected)
    case 'in':
      return isAmong(actual, expected)
    case 'notIn':
      return !isAmong(actual, expected)
    case 'exists':
      return ((actual ?? null) !== null) === (expected !== false)
    case 'empty':
      return isEmpty(actual) === (expected !== false)
    default:
      // A newer service may have operators that this panel does not know: show the field rather than hide a required one.
      return true
  }
}

/** Whether a value counts as empty, for the `empty` operator and for required fields. */
export const isEmpty = (value: unknown): boolean =>
  (value ?? null) === null || value === '' || (Array.isArray(value) && value.length === 0)

const isSame = (actual: unknown, expected: unknown) => isSameValue(actual ?? null, expected ?? null)

const isAmong = (actual: unknown, expected: unknown) =>
  Array.isArray(expected) && expected.some((each) => isSame(actual, each))
