import { Type } from 'typebox'
import { parseDay } from '../../database/database.ts'
import { defineFieldType, type ValueAttributeBase } from '../field-type.ts'
import { valueOperators } from '../filter-operators.ts'
import { compileCalendarText } from './calendar.ts'
import { badDefault, compact, schemaDefault, someText } from './options.ts'
import { comparableText } from './texts.ts'

export interface DateAttribute extends ValueAttributeBase {
  readonly type: 'date' | 'datetime'
  /** `now` (only for datetime) means the moment of the write. */
  readonly default?: string
}

const options = { default: someText('`YYYY-MM-DD`.') }

export const dateType = defineFieldType<typeof options, DateAttribute>({
  name: 'date',
  shape: 'value',
  description: 'A date without a time.',
  options,
  checkOptions: ({ default: value }) =>
    value === undefined || parseDay(value) !== undefined
      ? []
      : [badDefault(value, 'be a date as YYYY-MM-DD')],
  complete: (file) => compact({ default: file.default }),
  column: () => ({ kind: 'date' }),
  compileCheck: () => compileCalendarText(parseDay, 'must be a day such as 2026-01-31'),
  jsonSchema: (attribute) => Type.String({ format: 'date', ...schemaDefault(attribute.default) }),
  accountSchema: () => Type.String({ format: 'date', pattern: '^(?!0000)' }),
  filter: { operators: valueOperators },
  graphql: () => ({ scalar: 'Date' }),
  typescript: () => 'string',
  index: { isText: false, characters: () => 8 },
  comparable: comparableText,
})
