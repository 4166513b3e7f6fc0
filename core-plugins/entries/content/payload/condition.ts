import { isDeepStrictEqual } from 'node:util'
import type { Condition } from '../../../foundation/schemas/schemas.ts'

/** Returns the value of another field of the same entry or component, as it will be after the write. */
export type LookUp = (field: string) => unknown

/** Compiles `condition` into a predicate that says whether the field is shown. */
export function compileCondition({ field, operator, value }: Condition): (lookUp: LookUp) => boolean {
  const holds = operators[operator]
  return (lookUp) => holds(lookUp(field), value)
}

type Operator = (actual: unknown, expected: unknown) => boolean

const operators: Readonly<Record<Condition['operator'], Operator>> = {
  eq: isSame,
  neq: (actual, expected) => !isSame(actual, expected),
  in: isAmong,
  notIn: (actual, expected) => !isAmong(actual, expected),
  exists: (actual, expected) => ((actual ?? null) !== null) === isWanted(expected),
  empty: (actual, expected) => isEmpty(actual) === isWanted(expected),
}

/** What counts as empty, for the `empty` operator and for `required`. */
export function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isSame(actual: unknown, expected: unknown): boolean {
  return isDeepStrictEqual(actual ?? null, expected ?? null)
}

function isAmong(actual: unknown, expected: unknown): boolean {
  return Array.isArray(expected) && expected.some((item) => isSame(actual, item))
}

/** `exists` and `empty` take `value: true`; `false` inverts them. */
function isWanted(expected: unknown): boolean {
  return expected !== false
}
