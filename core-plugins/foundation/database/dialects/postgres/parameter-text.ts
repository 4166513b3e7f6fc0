import { DatabaseError } from '../../database-error.ts'

// The protocol counts them in 16 bits.
const maxParameters = 65_533

/**
 * The parameters of a statement as text, which the server reads as what the statement says they are.
 * @throws DatabaseError for what the driver would only refuse when it is about to send it: it would blame the
 * query that is under way, and give the next answer to this one
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
