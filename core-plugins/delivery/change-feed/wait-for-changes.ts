import type { Auth } from '../../accounts/auth/auth.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Feed, FeedPage } from './feed.ts'
import type { Follow, Following, FollowQuery } from './following.ts'
import { createSharedAnswers } from './shared-answers.ts'
import type { Waiting } from './waiting.ts'

/** What somebody asks the feed for. */
export interface FeedQuery extends FollowQuery {
  readonly since?: string
  readonly limit?: number
  /** Seconds. */
  readonly wait?: number
  readonly poll?: number
}

/** A request for what comes after a position. */
export interface Asked {
  readonly query: FeedQuery
  readonly following: Following
  readonly position: number
  readonly limit: number
  /** Who asks: rights and sessions may end while one waits. */
  readonly authorization: string | undefined
  readonly recipient: Recipient
}

/** Answers as soon as there is something to tell, at the latest after the seconds of `wait`. */
export interface ChangeWaiter {
  /** @throws AppError 401 or 403 if the rights have ended meanwhile; 410; 429 or 503 if too many wait */
  answer(asked: Asked, address: string): Promise<FeedPage>
}

interface WaiterParts {
  readonly auth: Auth
  readonly feed: Feed
  readonly follow: Follow
  readonly waiting: Waiting
}

/** So many stretches of the log without anything for the caller are looked through in a row. */
const maxStretches = 5

export function createChangeWaiter({ auth, feed, follow, waiting }: WaiterParts): ChangeWaiter {
  const shared = createSharedAnswers<FeedPage>()

  async function principalNow({ authorization, following }: Asked): Promise<Principal> {
    if (authorization === undefined) return following.principal
    return (await auth.principalOf(authorization)) ?? auth.refuse({ kind: 'anonymous' })
  }

  async function untilChanged(asked: Asked): Promise<FeedPage> {
    const { query, limit, recipient } = asked
    const { signal } = recipient
    const endsAtMs = performance.now() + (query.wait ?? 0) * 1_000
    // Before the first look, so that nothing happens between a look and the wait for more.
    const watch = waiting.watch(asked.following)
    let { following, position } = asked
    let stretches = 0
    try {
      for (;;) {
        const page = await feed.read({ following, position, limit, recipient })
        const leftMs = endsAtMs - performance.now()
        if (page.changes.length > 0 || leftMs <= 0 || waiting.isStopped || signal.aborted) return page
        position = page.position
        stretches = page.hasMore ? stretches + 1 : 0
        if (stretches === maxStretches) return page
        if (page.hasMore) continue
        await watch.next(Math.min(leftMs, page.dueInMs ?? leftMs), signal)
        following = follow(await principalNow(asked), query)
      }
    } finally {
      watch.end()
    }
  }

  /** Anonymous callers see the same, so those who wait at the same position share an answer. */
  async function waitTogether(asked: Asked): Promise<FeedPage> {
    const { following, query, position, limit, recipient } = asked
    if (following.principal.kind !== 'anonymous') return untilChanged(asked)
    const { locale, withEntries } = following
    const key = JSON.stringify([
      [...following.types.keys()],
      locale,
      withEntries,
      position,
      limit,
      query.wait,
    ])
    return shared.get(key, recipient.signal, (signal) => untilChanged({ ...asked, recipient: { signal } }))
  }

  return {
    async answer(asked, address) {
      const { signal } = asked.recipient
      const leave = waiting.enter(address)
      try {
        return await waitTogether(asked)
      } catch (error) {
        if (signal.aborted) throw new AppError('CLIENT_GONE', 'nobody waits any more', { cause: error })
        throw error
      } finally {
        leave()
      }
    },
  }
}
