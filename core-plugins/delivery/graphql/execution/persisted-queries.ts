import mercurius, { type PersistedQueryProvider } from 'mercurius'
import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import { AppError } from '../../../foundation/http/http.ts'

/**
 * Automatic persisted queries, compatible with Apollo's clients: a client sends the SHA-256 of a document instead of the
 * document, in a short URL that never changes. If this process does not know the hash, the client gets an error and sends both
 * once.
 */
export interface PersistedQueries {
  /** The requested document; undefined if only its hash was sent and the hash is unknown. @throws AppError 400 */
  resolve(query: string | undefined, extensions: unknown): Awaitable<MeantDocument | undefined>
}

export interface MeantDocument {
  readonly source: string
  /** Stores the document, after it turned out to be valid. */
  keep(): void
}

const maxKept = 1_000
/** Documents with more characters are not stored. */
const maxKeptLength = 20_000

export function createPersistedQueries(): PersistedQueries {
  const kept = mercurius.persistedQueryDefaults.automatic(maxKept) as Required<PersistedQueryProvider>

  async function verified(hash: string, source: string): Promise<MeantDocument> {
    if ((await kept.getQueryFromHash(hash)) === source) return { source, keep() {} }
    if (kept.getHashForQuery(source) !== hash) {
      throw invalid('extensions.persistedQuery.sha256Hash', 'is not the SHA-256 of the query')
    }
    return {
      source,
      keep() {
        if (source.length <= maxKeptLength) void kept.saveQuery(hash, source)
      },
    }
  }

  return {
    resolve(query, extensions) {
      const hash = hashIn(extensions)
      if (hash === undefined) {
        if (query === undefined) throw invalid('query', 'is required')
        return { source: query, keep() {} }
      }
      if (query !== undefined) return verified(hash, query)
      return andThen(kept.getQueryFromHash(hash), (source) =>
        source === undefined ? undefined : { source, keep() {} },
      )
    },
  }
}

/** Undefined if the request does not use a persisted query. */
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
