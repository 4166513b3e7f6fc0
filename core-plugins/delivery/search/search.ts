import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Entry } from '../../entries/content/content.ts'
import type { Recipient, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { PrefixMode } from './terms.ts'

/** The text to search for, the types and fields to search, and the caller. */
export interface SearchRequest {
  /** Words, `"phrases"`, `begin*` and `-exclusions`, combined with AND. */
  readonly text: string
  /** Which words may be unfinished; by default the last one. */
  readonly prefix?: PrefixMode | undefined
  /**
   * Only words in these fields count: `title`, `blocks.text` for a field of components, `blocks` for all fields inside.
   * Undefined: all fields.
   */
  readonly fields?: readonly string[] | undefined
  /** Whether words with one or two typos match; exact matches come first. Default: false. */
  readonly typos?: boolean | undefined
  /** Singular names; undefined: every type that the caller may read. */
  readonly types: readonly string[] | undefined
  /** Excludes entries in other locales. */
  readonly locale: string | undefined
  readonly limit: number
  readonly offset: number
  readonly principal: Principal
  /** If it disconnects, the search is cancelled; for example the request. */
  readonly recipient?: Recipient
}

/** An entry found by a search. */
export interface SearchHit {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  /** The value of the entry's title field, if it has one. */
  readonly title: string | null
  /** Higher is better; comparable only within one response. */
  readonly score: number
  /** Excerpts by field (`blocks.0.text` for a field of a component), as HTML with matches in `<mark>`. */
  readonly highlights: Readonly<Record<string, string>>
  /** Words of the search, with the words in the shown texts that match instead. Missing for exact matches. */
  readonly corrections?: Readonly<Record<string, readonly string[]>>
  /** The entry, as in a list. */
  readonly entry: Entry
}

/** Hits of a search, best first. */
export interface SearchPage {
  readonly hits: readonly SearchHit[]
  /** The number of all matches that the caller may see. */
  readonly total: number
}

/** Full-text search over the entries of all types. */
export interface Search {
  /** Returns hits, best first. @throws AppError 400 for unknown types and fields, 403 for types that the caller may not read */
  search(request: SearchRequest): Promise<SearchPage>
  /** Rebuilds the index in a job after the commit of `tx`; for code that writes entries without the content service. */
  requestRebuild(tx: Transaction): Promise<void>
}

/** Searches the texts of all entries. */
export const searchService: ServiceToken<Search> = service('search')

export { type PrefixMode, prefixModes } from './terms.ts'
export { type SearchToken, type SearchTokenizer, searchTokenizers } from './tokenizer.ts'
