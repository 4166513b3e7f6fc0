import type { Entry } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { publishedAtOf } from './document.ts'
import type { SearchedText } from './searched-texts.ts'

/** The effect of a write on the document of an entry. */
export interface IndexChange {
  readonly type: ContentType
  /** The entry after the write, with its system fields. */
  readonly entry: Entry
  /** Whether the entry has no document yet. */
  readonly isNew: boolean
  /** `stamp`: the words are unchanged, but the stored times are not. */
  readonly effect: 'replace' | 'remove' | 'stamp'
  /** The new texts, for `replace`. */
  readonly texts: readonly SearchedText[]
}

/** The combined effect of two successive writes of a transaction. */
export function merged(earlier: IndexChange, later: IndexChange): IndexChange {
  // An entry that is created and then published is written only once.
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
