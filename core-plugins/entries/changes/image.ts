import { isPoint } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { Entry, Image } from '../content/content.ts'

/** The maximum length of kept texts, in characters; filters and sorts hardly ever use longer ones. */
const maxText = 256
const maxIds = 100
/** The approximate maximum size of an image as JSON, in bytes. */
const maxImage = 8_192

/** The part of an entry that the log keeps; undefined if even that is too large. */
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

/** Whether everyone who may read the type sees the entry at a time (ISO 8601). */
export function isPublicAt({ options, system }: ContentType, entry: Entry | undefined, now: string): boolean {
  if (entry === undefined) return false
  if (!options.draftAndPublish || system) return true
  return typeof entry.published_at === 'string' && entry.published_at <= now
}

/** The written fields whose values differ. Objects count as changed, because comparing them is expensive. */
export function changedFields(
  fields: readonly string[] | undefined,
  before: Entry | undefined,
  after: Entry | undefined,
): readonly string[] | undefined {
  if (before === undefined || after === undefined) return fields
  return fields?.filter((name) => before[name] !== after[name] || !(name in after))
}
