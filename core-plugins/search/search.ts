import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Entry } from '../content/content.ts'
import type { Recipient, Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

export interface SearchRequest {
  /** Words, `"phrases"` and `-exclusions`; all must hold. The last word may be the beginning of one. */
  readonly text: string
  /** Singular names; undefined: every type that the caller may read. */
  readonly types: readonly string[] | undefined
  /** Entries of other locales are left out. */
  readonly locale: string | undefined
  readonly limit: number
  readonly offset: number
  readonly principal: Principal
  /** Whose going ends the search, such as the request. */
  readonly recipient?: Recipient
}

export interface SearchHit {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  /** What stands in the entry's title field, if it has one. */
  readonly title: string | null
  /** Larger is better; comparable within one answer only. */
  readonly score: number
  /** By field, `blocks.0.text` for one in a component: HTML in which what was found is in `<mark>`. */
  readonly highlights: Readonly<Record<string, string>>
  /** As a list shows it. */
  readonly entry: Entry
}

export interface SearchPage {
  readonly hits: readonly SearchHit[]
  /** Of all that is found and the caller may see. */
  readonly total: number
}

/** Full-text search over the entries of all types. */
export interface Search {
  /** Best first. @throws AppError 400 for unknown types, 403 for types that the caller may not read */
  search(request: SearchRequest): Promise<SearchPage>
  /** Has the index built anew by a job, once `tx` is committed: for what writes entries past the content service. */
  requestRebuild(tx: Transaction): Promise<void>
}

export const searchService: ServiceToken<Search> = service('search')
