import { Type } from 'typebox'
import { defineFieldType } from '../field-type.ts'
import {
  accountBounds,
  boundsOf,
  checkBounds,
  checkNumbers,
  exactMembers,
  exactNumber,
  exactOptions,
  inexactNumberRule,
  type NumberAttribute,
  schemaBounds,
} from './numbers.ts'

const least = -(2n ** 63n)
const greatest = 2n ** 63n - 1n
const digits = /^-?[0-9]{1,40}$/

const options = exactOptions('^-?[0-9]+$')

const rules = {
  type: 'bigint',
  isExact: (value: number | string) =>
    typeof value === 'number'
      ? Number.isSafeInteger(value)
      : BigInt(value) >= least && BigInt(value) <= greatest,
  remedy: 'write a whole number of 64 bits as a string',
} as const

export const bigintType = defineFieldType<typeof options, NumberAttribute>({
  ...exactMembers,
  name: 'bigint',
  description: 'A whole number of 64 bits.',
  options,
  checkOptions: (file) => checkNumbers(file, rules),
  column: () => ({ kind: 'bigint' }),
  /** Accepts a number or a string of digits; returns a string only for numbers that a double cannot hold exactly. */
  compileCheck(attribute) {
    const { min = least, max = greatest } = boundsOf(attribute)
    return (value, report) => {
      if (Number.isSafeInteger(value)) {
        checkBounds(value as number, min, max, report)
        return value === 0 ? 0 : value
      }
      if (Number.isInteger(value)) return report.problem('type', inexactNumberRule)
      if (typeof value !== 'string' || !digits.test(value)) {
        return report.problem('type', 'must be a whole number, or a string of its digits')
      }
      const exact = BigInt(value)
      checkBounds(exact, min, max, report)
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString()
    }
  },
  jsonSchema: (attribute) => exactNumber(Type.Integer(schemaBounds(attribute)), '^-?[0-9]+$'),
  accountSchema: (attribute) => Type.Integer(accountBounds(attribute)),
  graphql: () => ({ scalar: 'BigInt' }),
})
