import { requestPage } from './entry-request.ts'
import type { Page } from './list-query.ts'
import { queryString } from './query-string.ts'
import type { Result } from './result.ts'
import type { TypeShape } from './shape.ts'
import type { Transport } from './transport.ts'

/** A match: `type` says which type the entry has. */
export type SearchHit<Types, Name extends keyof Types = keyof Types> = {
  [Type in Name]: Types[Type] extends infer Shape extends TypeShape
    ? {
        readonly type: Type
        readonly id: number
        readonly title: string
        readonly score: number
        /** HTML by field, escaped except for `<mark>`. */
        readonly highlights: Readonly<Record<string, string>>
        /** With `typos`: words of the search, and what stands in the texts instead. */
        readonly corrections?: Readonly<Record<string, readonly string[]>>
        readonly entry: Result<Shape>
      }
    : never
}[Name]

export interface SearchOptions<Name> {
  /** Default: all types that the caller may read. */
  readonly types?: readonly Name[]
  readonly locale?: string
  /** Only words in these fields count: `title`, `blocks.text`, `blocks` for all inside. Default: in any. */
  readonly fields?: readonly string[]
  /** Which words may be the beginning of one, besides `begin*`. Default: the last. */
  readonly prefix?: 'last' | 'all' | 'none'
  /** Whether to find words with typing errors, too. Default: false. */
  readonly typos?: boolean
  readonly limit?: number
  readonly offset?: number
  readonly signal?: AbortSignal
}

/** Searches all types at once, best first. */
export type Search<Types> = <const Name extends keyof Types & string = keyof Types & string>(
  text: string,
  options?: SearchOptions<Name>,
) => Promise<Page<SearchHit<Types, Name>>>

/** Makes the search. */
export function createSearch<Types>(transport: Transport): Search<Types> {
  return (text, { types, fields, signal, ...rest } = {}) => {
    const query = queryString({ q: text, types: types?.join(), fields: fields?.join(), ...rest })
    return requestPage(transport, `/search${query}`, { signal })
  }
}
