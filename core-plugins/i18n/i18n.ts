import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Entry } from '../content/content.ts'
import type { Principal } from '../http/http.ts'

/** Specification, "Other state sets". */
export const translationStatuses = ['draft', 'in_review', 'approved', 'published', 'outdated'] as const

export type TranslationStatus = (typeof translationStatuses)[number]

/** How far the version of an entry in one locale has come. */
export interface TranslationMeta {
  readonly id: number
  readonly status: TranslationStatus
  /** The locale of the version that the others are translations of. */
  readonly sourceLocale: string
  /** Null also for those who do not see drafts. */
  readonly notes: string | null
  /** When status or notes changed last; ISO 8601. */
  readonly updated_at: string
}

/** All versions of an entry that a caller may see; the source comes first. */
export interface EntryLocalizations {
  readonly localizations: readonly Entry[]
  /** By locale. */
  readonly translationMeta: Readonly<Record<string, TranslationMeta>>
}

export interface LocalizationDiff {
  readonly sourceLocale: string
  readonly locale: string
  /** All attributes that each locale has a value of its own for, in the order of the type. */
  readonly fields: readonly {
    readonly field: string
    readonly source: unknown
    readonly translation: unknown
    readonly same: boolean
  }[]
}

/** A version of an entry, and who asks. */
export interface LocalizationRequest {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip?: string | undefined
}

/**
 * The versions of entries in several locales (decisions.md, 4). Versions that a caller may not see are not there for
 * that caller. Rights are judged before, by the route's policies.
 * @throws AppError 404 for what the caller may not see, and for types without locales
 */
export interface Localizations {
  /**
   * Makes a version in another locale, which is named by `data.locale`; shared attributes are taken over.
   * @throws AppError 400; 409 where there is a version in that locale already
   */
  create(request: LocalizationRequest, data: Readonly<Record<string, unknown>>): Promise<Entry>
  list(request: LocalizationRequest): Promise<EntryLocalizations>
  /** Notes that are undefined stay as they are. */
  setStatus(
    request: LocalizationRequest,
    change: { readonly status: TranslationStatus; readonly notes?: string | null | undefined },
  ): Promise<TranslationMeta & { readonly locale: string }>
  /** Compares a version with the source. */
  diff(request: LocalizationRequest): Promise<LocalizationDiff>
}

export const localizationsService: ServiceToken<Localizations> = service('localizations')
