import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Entry } from '../../entries/content/content.ts'
import type { Recipient, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { PrefixMode } from './terms.ts'

/** What is searched for, where, and for whom. */
export interface SearchRequest {
  /** Words, `"phrases"`, `begin*` and `-exclusions`, combined with AND. */
  readonly text: string
  /** Which words may be unfinished; default: the last one. */
  readonly prefix?: PrefixMode | undefined
  /**
   * Only words in these fields count: `title`, `blocks.text` for those in components, `blocks` for all inside of it. Undefined: in
   * any.
   */
  readonly fields?: readonly string[] | undefined
  /** Whether words count that differ by one letter or two; those with the words as they are come first. Default: false. */
  readonly typos?: boolean | undefined
  /** Singular names; undefined: every type that the caller may read. */
  readonly types: readonly string[] | undefined
  /** Excludes entries in other locales. */
  readonly locale: string | undefined
  readonly limit: number
  readonly offset: number
  readonly principal: Principal
  /** Cancels the search when it is gone; the request, for example. */
  readonly recipient?: Recipient
}

/** An entry that a search has found. */
export interface SearchHit {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  /** The value of the entry's title field, if it has one. */
  readonly title: string | null
  /** Larger is better; comparable within one answer only. */
  readonly score: number
  /** By field, `blocks.0.text` for one in a component: HTML with matches in `<mark>`. */
  readonly highlights: Readonly<Record<string, string>>
  /** Words of the search with what stands in the shown texts instead. Missing if they stand there themselves. */
  readonly corrections?: Readonly<Record<string, readonly string[]>>
  /** As a list shows it. */
  readonly entry: Entry
}

/** Hits of a search, the best first. */
export interface SearchPage {
  readonly hits: readonly SearchHit[]
  /** The number of all matches that the caller may see. */
  readonly total: number
}

/** Full-text search over the entries of all types. */
export interface Search {
  /** Best first. @throws AppError 400 for unknown types and fields, 403 for types that the caller may not read */
  search(request: SearchRequest): Promise<SearchPage>
  /**
   * Rebuilds the index in a job once `tx` is committed; for code that writes entries without the content
   * service.
   */
  requestRebuild(tx: Transaction): Promise<void>
}

/** Searches the texts of all entries. */
export const searchService: ServiceToken<Search> = service('search')

export { type PrefixMode, prefixModes } from './terms.ts'
export { type SearchToken, type SearchTokenizer, searchTokenizers } from './tokenizer.ts'
