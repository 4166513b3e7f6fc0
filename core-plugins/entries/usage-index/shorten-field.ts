import { createHash } from 'node:crypto'

const maxLength = 255

/** The path of a deeply nested component may be longer than the column of an index. */
export function shortenField(field: string): string {
  if (field.length <= maxLength) return field
  const hash = createHash('sha256').update(field).digest('hex').slice(0, 16)
  return `${field.slice(0, maxLength - hash.length - 1)}~${hash}`
}
