import { createHash } from 'node:crypto'

const maxLength = 255

/** Shortens a path to fit the column of an index, which the path of a deeply nested component may exceed. */
export function shortenField(field: string): string {
  if (field.length <= maxLength) return field
  const hash = createHash('sha256').update(field).digest('hex').slice(0, 16)
  return `${field.slice(0, maxLength - hash.length - 1)}~${hash}`
}
