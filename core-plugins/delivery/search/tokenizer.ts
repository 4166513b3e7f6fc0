import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/** A word of a text, as a tokenizer finds it. */
export interface SearchToken {
  /** Where it begins and ends in the text, in UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** The form under which all of its forms are found; by default the word as it stands there. */
  readonly stem?: string
}

/** Finds the words of a language, and their stems. It takes the place of the built-in stemmer of its locales. */
export interface SearchTokenizer {
  /** `<plugin>.<what>`: `kana.japanese`. */
  readonly name: string
  /** Languages (`ja`) or whole locales (`pt-BR`). Of several tokenizers for one, the first one counts. */
  readonly locales: readonly string[]
  /** Identifies the rules: after a change, existing documents are indexed again. */
  readonly version: string
  /**
   * The words of a text in order, without overlaps. Called for whole texts when they are indexed, and for the words of a
   * search. Synchronous, in the write of an entry: it gets at most 200,000 characters, and is ended after 200 ms and then
   * not asked for 30 s. At most 16,000 words of an answer count; one that throws, or answers anything else, is reported, and
   * the text is indexed without it.
   */
  tokenize(text: string): readonly SearchToken[]
  /** For third-party plugins: called with errors. Set by the service. */
  readonly report?: (error: unknown) => void
}

/** Tokenizers of plugins. */
export const searchTokenizers: ExtensionPoint<SearchTokenizer> = extensionPoint('searchTokenizers')
