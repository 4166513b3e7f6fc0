import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/** A word that a tokenizer found in a text. */
export interface SearchToken {
  /** The position in the text, in UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** The form under which all forms of the word are found; by default the word itself. */
  readonly stem?: string
}

/** Finds the words of a language and their stems. Replaces the built-in stemmer of its locales. */
export interface SearchTokenizer {
  /** `<plugin>.<name>`, for example `kana.japanese`. */
  readonly name: string
  /** Languages (`ja`) or locales (`pt-BR`). If several tokenizers support one, the first applies. */
  readonly locales: readonly string[]
  /** Identifies the rules: when it changes, existing documents are indexed again. */
  readonly version: string
  /**
   * Returns the words of a text in order, without overlaps. Called with whole texts for indexing, and with the words of a
   * search. Runs synchronously within the write of an entry: it gets at most 200,000 characters, and is aborted after 200 ms
   * and then not called for 30 s. At most 16,000 words are used. If it throws or returns an invalid result, the error is
   * reported, and the text is indexed without it.
   */
  tokenize(text: string): readonly SearchToken[]
  /** For third-party plugins: called with errors. Set by the service. */
  readonly report?: (error: unknown) => void
}

/** Tokenizers of plugins. */
export const searchTokenizers: ExtensionPoint<SearchTokenizer> = extensionPoint('searchTokenizers')
