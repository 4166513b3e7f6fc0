import { Type } from 'typebox'
import { defineFieldType } from '../field-type.ts'
import {
  accountBounds,
  boundsOf,
  checkBounds,
  checkNumbers,
  type NumberAttribute,
  numberMembers,
  schemaBounds,
} from './numbers.ts'
import { compact, uniqueOption } from './options.ts'

const wholeNumber = (description: string) => Type.Optional(Type.Integer({ description }))

const options = {
  unique: uniqueOption,
  min: wholeNumber('Least value.'),
  max: wholeNumber('Greatest value.'),
  default: wholeNumber('Value of new entries that bring none.'),
}

const rules = { type: 'integer', isExact: Number.isSafeInteger, remedy: 'write a smaller number' } as const

export const integerType = defineFieldType<typeof options, NumberAttribute>({
  ...numberMembers,
  name: 'integer',
  description: 'A whole number that a double holds exactly.',
  options,
  checkOptions: (file) => checkNumbers(file, rules),
  complete: ({ unique = false, min, max, default: value }) => compact({ unique, min, max, default: value }),
  column: () => ({ kind: 'integer' }),
  compileCheck(attribute) {
    const { min, max } = boundsOf(attribute)
    return (value, report) => {
      if (!Number.isSafeInteger(value)) {
        return report.problem('type', `must be a whole number of at most ±${Number.MAX_SAFE_INTEGER}`)
      }
      checkBounds(value as number, min, max, report)
      return value === 0 ? 0 : value
    }
  },
  jsonSchema: (attribute) => Type.Integer(schemaBounds(attribute)),
  accountSchema: (attribute) => Type.Integer(accountBounds(attribute)),
  graphql: () => ({ scalar: 'Int' }),
  typescript: () => 'number',
  comparable: { isPossible: Number.isSafeInteger, expected: () => 'a number' },
})
