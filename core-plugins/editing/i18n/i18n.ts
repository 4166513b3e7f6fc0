import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Entry, WriteAnnotations } from '../../entries/content/content.ts'
import type { Queries, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { LocalizationDiff, TranslationMeta, TranslationStatus } from './translation-meta.ts'

export {
  type LocalizationDiff,
  type TranslationMeta,
  type TranslationStatus,
  translationStatuses,
} from './translation-meta.ts'

/** All versions of an entry that the caller may see; the source comes first. */
export interface EntryLocalizations {
  readonly localizations: readonly Entry[]
  /** The translation status by locale. */
  readonly translationMeta: Readonly<Record<string, TranslationMeta>>
}

/** A request about one version of an entry. */
export interface LocalizationRequest {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip?: string | undefined
}

/**
 * The versions of entries in several locales (docs/localisation.md). Versions hidden from a caller do not
 * exist for that caller.
 * @throws AppError 401 or 403 without permission to read the type, or to create and update its entries; 404 if the caller may not see the entry, and for types without locales
 */
export interface Localizations {
  /**
   * Creates a version in the locale named by `data.locale`; copies shared attributes.
   * @throws AppError 400; 409 if the entry already has a version in that locale
   */
  create(request: LocalizationRequest, data: Readonly<Record<string, unknown>>): Promise<Entry>
  /**
   * For each entry id, the annotations that make a new entry another version of it (the payload of the new entry names its
   * locale). Takes few statements; entries that do not exist are left out. The caller must check permissions.
   */
  joiningMany(
    request: Omit<LocalizationRequest, 'id'> & { readonly tx: Transaction },
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, WriteAnnotations>>
  list(request: LocalizationRequest): Promise<EntryLocalizations>
  /** For each version id, the id of the source that its entry was first created as, from which the others are translated. */
  sourcesOf(type: ContentType, ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, number>>
  /** The locale of new entries whose payload names none. */
  defaultLocaleOf(type: ContentType): string
  /** Undefined notes leave the existing ones unchanged. */
  setStatus(
    request: LocalizationRequest,
    change: { readonly status: TranslationStatus; readonly notes?: string | null | undefined },
  ): Promise<TranslationMeta & { readonly locale: string }>
  /** Compares a version with the source. */
  diff(request: LocalizationRequest): Promise<LocalizationDiff>
}

/** Versions of entries in other locales. */
export const localizationsService: ServiceToken<Localizations> = service('localizations')
