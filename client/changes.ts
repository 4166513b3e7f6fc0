import { requestPage } from './entry-request.ts'
import type { Pagination } from './list-query.ts'
import type { MediaFile } from './media-library.ts'
import { MortiseError } from './mortise-error.ts'
import { type QueryValue, queryString } from './query-string.ts'
import type { Result } from './result.ts'
import type { TypeShape } from './shape.ts'
import type { Transport } from './transport.ts'

/** What can be followed: the content types, and the files of the media library. */
export type FollowedName<Types> = (keyof Types & string) | 'media'

/** An entry that has changed, or that the caller does not see any more. `type` says which type it has. */
export type EntryChange<Types, Name extends FollowedName<Types> = FollowedName<Types>> = {
  [Type in Name]: {
    readonly type: Type
    readonly id: number
    /** Null for types without localisation. */
    readonly locale: string | null
    readonly kind: 'changed' | 'gone'
    /** With `include: 'entry'`, as it is now; missing also where it is too large to be sent along. */
    readonly entry?: Type extends keyof Types
      ? Types[Type] extends infer Shape extends TypeShape
        ? Result<Shape>
        : never
      : MediaFile
  }
}[Name]

/** Changes to be applied together with the cursor: store both in one transaction, so that no change is missed or applied twice. */
export interface ChangeBatch<Types, Name extends FollowedName<Types> = FollowedName<Types>> {
  /** Empty if nothing has happened that concerns the caller. */
  readonly changes: readonly EntryChange<Types, Name>[]
  /** Where to go on when these have been applied; after a snapshot, when all of its batches have been. */
  readonly cursor: string
  /** Whether more are there already. */
  readonly hasMore: boolean
}

export interface SnapshotOptions<Name> {
  /** Default: all that the caller may read. */
  readonly types?: readonly Name[]
  readonly locale?: string
  readonly include?: 'entry'
  /** The most changes, or entries, of a batch. */
  readonly limit?: number
  /** Failures in a row (no response, 429, 5xx) after which the last one is thrown; default: 10. */
  readonly retries?: number
  /** Ends the loop. */
  readonly signal?: AbortSignal
}

export interface ChangeOptions<Name> extends SnapshotOptions<Name> {
  /** The cursor of the batch applied last; default: from now on. */
  readonly since?: string | undefined
  /** Seconds for which a request waits for news; default: 25. With 0 the loop ends when there are no more. */
  readonly wait?: number
}

/** What changes, for `for await`. */
export interface Changes<Types> {
  /**
   * Batches of the changes since a cursor, for as long as the loop runs.
   * @throws MortiseError `CURSOR_EXPIRED` if the service no longer keeps changes that old: take a snapshot
   */
  changes<const Name extends FollowedName<Types> = FollowedName<Types>>(
    options?: ChangeOptions<Name>,
  ): AsyncGenerator<ChangeBatch<Types, Name>, void, undefined>
  /**
   * All entries that the caller sees, as changes.
   * @throws MortiseError `CURSOR_EXPIRED` if it takes longer than the service remembers
   */
  snapshot<const Name extends FollowedName<Types> = FollowedName<Types>>(
    options?: SnapshotOptions<Name>,
  ): AsyncGenerator<ChangeBatch<Types, Name>, void, undefined>
}

type FeedPagination = Pagination & { readonly next: string; readonly since?: string }

/** Makes both. */
export function createChanges<Types>(transport: Transport): Changes<Types> {
  /** Follows `next` from page to page, until the loop is left. */
  async function* pages({ types, signal, retries = 10, ...query }: ChangeOptions<string>, start: string) {
    const parameters = { ...(query as Record<string, QueryValue>), types: types?.join() }
    for (let path = start + queryString(parameters); ; ) {
      const request = () => requestPage<never>(transport, path, { signal })
      const page = await patiently(request, retries, signal)
      if (page === undefined) return
      const pagination = page.pagination as FeedPagination
      const { nextCursor, since, hasMore, next } = pagination
      yield { changes: page.data, cursor: since ?? nextCursor ?? '', hasMore }
      path = start + next.slice(next.indexOf('?'))
    }
  }

  return {
    async *changes({ wait = 25, ...options } = {}) {
      let cursor = options.since
      for await (const batch of pages({ ...options, wait }, '/changes')) {
        if (batch.cursor !== cursor) yield batch
        if (wait === 0 && !batch.hasMore) return
        cursor = batch.cursor
      }
    },
    async *snapshot(options = {}) {
      for await (const batch of pages(options, '/changes/snapshot')) {
        yield batch
        if (!batch.hasMore) return
      }
    },
  }
}

const longestPauseMs = 30_000

/** Tries again what fails for a moment only; undefined once the signal is aborted. */
export async function patiently<Answer>(
  request: () => Promise<Answer>,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      return await request()
    } catch (error) {
      if (signal?.aborted) return undefined
      if (!isPassing(error) || failures >= retries) throw error
      await pause(error, failures, signal)
    }
  }
  return undefined
}

/** Whether there was no response, or one after which another attempt may succeed. */
function isPassing(error: unknown): boolean {
  return !(error instanceof MortiseError) || error.status === 429 || error.status >= 500
}

function pause(error: unknown, failures: number, signal: AbortSignal | undefined): Promise<void> {
  const told = error instanceof MortiseError ? error.retryAfter : undefined
  // Not all at the same time.
  const ownMs = Math.min(500 * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const timer = setTimeout(end, told === undefined ? ownMs : told * 1_000)
    signal?.addEventListener('abort', end)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
  })
}
