import { DatabaseError } from '../../database-error.ts'

// The protocol counts parameters in 16 bits.
const maxParameters = 65_533

/**
 * The parameters of a statement as text, which the server parses as the types that the statement gives them.
 * @throws DatabaseError for values that the driver would refuse only while sending: it would then fail the query in
 * flight, and give the next answer to this query
 */
export function parameterTexts(parameters: readonly unknown[]): (string | null)[] {
  if (parameters.length > maxParameters) {
    throw new DatabaseError('other', `a statement takes at most ${maxParameters} parameters`)
  }
  const texts = new Array<string | null>(parameters.length)
  for (let index = 0; index < texts.length; index += 1) texts[index] = textOf(parameters[index])
  return texts
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  throw new DatabaseError(
    'other',
    `a parameter is neither text, number, boolean, date nor bytes: ${typeof value}`,
  )
}
