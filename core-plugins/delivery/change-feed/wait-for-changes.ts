import type { Auth } from '../../accounts/auth/auth.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Feed, FeedPage } from './feed.ts'
import type { Follow, Following, FollowQuery } from './following.ts'
import { createSharedAnswers } from './shared-answers.ts'
import type { Waiting } from './waiting.ts'

/** The parameters of the feed. */
export interface FeedQuery extends FollowQuery {
  readonly since?: string
  readonly limit?: number
  /** Seconds. */
  readonly wait?: number
  readonly poll?: number
}

/** A request for the changes after a position. */
export interface Asked {
  readonly query: FeedQuery
  readonly following: Following
  readonly position: number
  readonly limit: number
  /** Checked again, since permissions and sessions may end during the wait. */
  readonly authorization: string | undefined
  readonly recipient: Recipient
}

/** Responds as soon as there is a change, at the latest after `wait` seconds. */
export interface ChangeWaiter {
  /** @throws AppError 401 or 403 if the permissions have ended meanwhile; 410; 429 or 503 if too many requests wait */
  answer(asked: Asked, address: string): Promise<FeedPage>
}

interface WaiterParts {
  readonly auth: Auth
  readonly feed: Feed
  readonly follow: Follow
  readonly waiting: Waiting
}

/** The maximum number of consecutive stretches of the log without anything visible to the caller. */
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
    // Before the first read, so that no change is missed between a read and the wait.
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

  /** Anonymous callers see the same changes, so those waiting at the same position share a response. */
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
