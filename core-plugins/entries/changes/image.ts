import { isPoint } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { Entry, Image } from '../content/content.ts'

/** Characters of a text that is kept; longer ones are hardly ever filtered or sorted by. */
const maxText = 256
const maxIds = 100
/** Bytes of an image as JSON, about. */
const maxImage = 8_192

/** What the log keeps of an entry; undefined if even that is too much. */
export function imageOf(entry: Entry): Image | undefined {
  const image: Record<string, unknown> = {}
  let size = 2
  for (const name in entry) {
    const value = entry[name]
    if (!isKept(value)) continue
    image[name] = value
    size += name.length + sizeOf(value)
  }
  return size > maxImage ? undefined : image
}

function isKept(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= maxText
  if (Array.isArray(value)) return value.length <= maxIds && value.every((id) => typeof id === 'number')
  return value === null || typeof value === 'number' || typeof value === 'boolean' || isPoint(value)
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 5
  if (Array.isArray(value)) return 8 * value.length + 5
  return isPoint(value) ? 40 : 12
}

/** Whether everybody who may read the type sees the entry at a time (ISO 8601). */
export function isPublicAt({ options, system }: ContentType, entry: Entry | undefined, now: string): boolean {
  if (entry === undefined) return false
  if (!options.draftAndPublish || system) return true
  return typeof entry.published_at === 'string' && entry.published_at <= now
}

/** Which of the fields that were written have another value now. Objects count as changed: comparing them is dear. */
export function changedFields(
  fields: readonly string[] | undefined,
  before: Entry | undefined,
  after: Entry | undefined,
): readonly string[] | undefined {
  if (before === undefined || after === undefined) return fields
  return fields?.filter((name) => before[name] !== after[name] || !(name in after))
}
