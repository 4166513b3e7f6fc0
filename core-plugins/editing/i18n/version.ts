import type { Entry } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { LocalizationRequest, TranslationStatus } from './i18n.ts'

/** A version of an entry. */
export interface Version {
  readonly id: number
  readonly group: string
  readonly locale: string
  /** Null: never set. */
  readonly status: TranslationStatus | null
  readonly notes: string | null
  readonly statusAt: string | null
  readonly createdAt: string
  /** Only for types with drafts. */
  readonly publishedAt?: string | null
}

/** The versions of an entry that a caller may see. */
export interface Seen {
  readonly request: LocalizationRequest
  readonly type: ContentType
  /** The first one is the source as far as the caller can see. */
  readonly versions: readonly Version[]
  readonly entries: ReadonlyMap<number, Entry>
  /** Whether the first version really is the source, rather than the source being hidden from the caller. */
  readonly isWhole: boolean
}
