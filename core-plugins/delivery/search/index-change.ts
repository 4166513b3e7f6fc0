import type { Entry } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { publishedAtOf } from './document.ts'
import type { SearchedText } from './searched-texts.ts'

/** What a write does to the document of an entry. */
export interface IndexChange {
  readonly type: ContentType
  /** As the write leaves it, with its system fields. */
  readonly entry: Entry
  /** No document of the entry exists yet. */
  readonly isNew: boolean
  /** `stamp`: its words are the same, only the times that are stored with them are not. */
  readonly effect: 'replace' | 'remove' | 'stamp'
  /** Of a replacement. */
  readonly texts: readonly SearchedText[]
}

/** What two writes of a transaction do, one after the other. */
export function merged(earlier: IndexChange, later: IndexChange): IndexChange {
  // What is created and then published is written once.
  if (later.effect === 'stamp') return { ...earlier, entry: later.entry }
  return { ...later, isNew: earlier.isNew }
}

/** Documents of one type that get the same times. */
export interface Stamp {
  readonly type: string
  readonly entryIds: number[]
  /** The `updated_at` of the entries. */
  readonly updatedAt: string
  readonly publishedAt: string | null
}

export function stampsOf(changes: readonly IndexChange[]): Stamp[] {
  const stamps = new Map<string, Stamp>()
  for (const { type, entry, effect } of changes) {
    if (effect !== 'stamp') continue
    const [updatedAt, publishedAt] = [String(entry.updated_at), publishedAtOf(entry)]
    const key = `${updatedAt} ${publishedAt} ${type.name}`
    const stamp = stamps.get(key) ?? { type: type.name, entryIds: [], updatedAt, publishedAt }
    stamps.set(key, stamp)
    stamp.entryIds.push(entry.id)
  }
  return [...stamps.values()]
}
