import { exactDecimal } from '../../decimal.ts'
import { exactInteger } from '../../integer.ts'

const asItIs = (value: unknown) => value

// Values are parsed into the application's form, so that rows need no second pass, and are sent as the text that
// `parameterTexts` has already made. Only JSON is decoded by the kind of the column: it is stored as text, since
// `jsonb` would reorder its keys and `json` cannot be compared.
const types = {
  bigint: { to: 20, from: [20], serialize: asItIs, parse: exactInteger },
  numeric: { to: 1700, from: [1700], serialize: asItIs, parse: exactDecimal },
  boolean: { to: 16, from: [16], serialize: asItIs, parse: (text: string) => text === 't' },
  date: { to: 1082, from: [1082], serialize: asItIs, parse: asItIs },
  moment: { to: 1184, from: [1184, 1114], serialize: asItIs, parse: isoMomentOf },
  json: { to: 114, from: [114, 3802], serialize: asItIs, parse: JSON.parse },
  bytea: {
    to: 17,
    from: [17],
    serialize: asItIs,
    parse: (text: string) => Buffer.from(text.slice(2), 'hex'),
  },
}

/** For the driver's option `types`. */
// biome-ignore lint/suspicious/noExplicitAny: the driver wants values of any type in and out
export const postgresTypes: any = types

const wholeMillisecond = '2026-01-31 08:00:00.123+00'.length

/** `2026-01-31 08:00:00.12+00`, as the server writes it in UTC. */
function isoMomentOf(text: string): string {
  const isPlain = text.length >= 19 && text[10] === ' ' && !text.endsWith('BC')
  if (!isPlain) return new Date(text).toISOString()
  const date = text.slice(0, 10)
  if (text.length === wholeMillisecond && text[19] === '.') return `${date}T${text.slice(11, 23)}Z`
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  return `${date}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}
