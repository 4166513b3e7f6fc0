import { Type } from 'typebox'
import { parseMoment } from '../../database/database.ts'
import { defineFieldType } from '../field-type.ts'
import { valueOperators } from '../filter-operators.ts'
import { compileCalendarText } from './calendar.ts'
import type { DateAttribute } from './date.ts'
import { badDefault, compact, someText } from './options.ts'
import { comparableText } from './texts.ts'

const options = { default: someText('ISO 8601, or `now` for the moment of the write.') }

/**
 * What accounts accept: no leap seconds, and no years so close to the ends of the range that an offset could lead
 * beyond them.
 */
const accountMoment = Type.String({
  format: 'date-time',
  pattern: '^(?!000|9999)(?!.*:60)',
  examples: ['2026-01-31T08:00:00Z'],
})

export const datetimeType = defineFieldType<typeof options, DateAttribute>({
  name: 'datetime',
  shape: 'value',
  description: 'A date and time.',
  options,
  checkOptions({ default: value }) {
    const isMoment = value === undefined || value === 'now' || parseMoment(value) !== undefined
    return isMoment ? [] : [badDefault(value, 'be `now`, or a time as 2026-01-31T08:00:00Z')]
  },
  complete: (file) => compact({ default: instantOf(file.default) }),
  column: () => ({ kind: 'datetime' }),
  compileCheck: () =>
    compileCalendarText(parseMoment, 'must be an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z'),
  compileDefault: (attribute) => (attribute.default === 'now' ? (report) => report.now : undefined),
  jsonSchema: () => Type.String({ format: 'date-time' }),
  accountSchema: () => accountMoment,
  normalize(value) {
    if (typeof value !== 'string') return value
    return (value === 'now' ? new Date() : new Date(value)).toISOString()
  },
  filter: { operators: valueOperators },
  graphql: () => ({ scalar: 'DateTime' }),
  typescript: () => 'string',
  index: { isText: false, characters: () => 8 },
  comparable: comparableText,
})

function instantOf(text: string | undefined): string | undefined {
  return text === undefined || text === 'now' ? text : parseMoment(text)
}
