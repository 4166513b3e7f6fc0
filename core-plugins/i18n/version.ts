import type { TranslationStatus } from './i18n.ts'

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
