import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AppError } from '../http/http.ts'
import type { GraphqlAnswer } from './graphql.ts'

/**
 * Automatic persisted queries, as Apollo's clients speak them: a client sends the SHA-256 of a document instead of the
 * document, in a URL that is short and always the same. Where this process does not know it, the client is told so and
 * sends both once.
 */
export interface PersistedQueries {
  /**
   * The document that is meant; undefined where only its hash was sent and is not known here.
   * @param check throws for a document that is not worth being kept
   * @throws AppError 400
   */
  resolve(query: string | undefined, extensions: unknown, check: (source: string) => void): string | undefined
  /** 200, as clients expect it. */
  readonly notFound: GraphqlAnswer
}

/** In characters, of all documents together. */
const maxKept = 4_000_000

export function createPersistedQueries(): PersistedQueries {
  const kept = new LRUCache<string, string>({
    maxSize: maxKept,
    sizeCalculation: (source) => source.length + 64,
  })

  function keep(hash: string, query: string, check: (source: string) => void): void {
    if (kept.get(hash) === query) return
    if (createHash('sha256').update(query).digest('hex') !== hash) {
      throw invalid('extensions.persistedQuery.sha256Hash', 'is not the SHA-256 of the query')
    }
    try {
      check(query)
      kept.set(hash, query)
    } catch {
      // Executing it tells what is wrong with it.
    }
  }

  return {
    resolve(query, extensions, check) {
      const hash = hashIn(extensions)
      if (hash === undefined) {
        if (query !== undefined) return query
        throw invalid('query', 'is required')
      }
      if (query === undefined) return kept.get(hash)
      keep(hash, query, check)
      return query
    },
    notFound: {
      status: 200,
      headers: {},
      body: {
        errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
      },
    },
  }
}

/** Undefined where the request is not about a persisted query. */
function hashIn(extensions: unknown): string | undefined {
  if (typeof extensions !== 'object' || extensions === null) return undefined
  const { persistedQuery } = extensions as { persistedQuery?: unknown }
  if (typeof persistedQuery !== 'object' || persistedQuery === null) return undefined
  const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown }
  if (version !== 1) throw invalid('extensions.persistedQuery.version', 'must be 1')
  if (typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/i.test(sha256Hash)) return sha256Hash.toLowerCase()
  throw invalid('extensions.persistedQuery.sha256Hash', 'must be a SHA-256 in hexadecimal digits')
}

function invalid(path: string, message: string): AppError {
  return AppError.invalid([{ path, code: 'persistedQuery', message }])
}
