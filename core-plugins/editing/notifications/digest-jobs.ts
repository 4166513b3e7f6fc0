import { Type } from 'typebox'
import { defineJob, type JobKind, type Jobs } from '../../background/jobs/jobs.ts'
import { countNews, newsOf } from './news.ts'
import type { NotificationParts } from './plugin-parts.ts'
import { portion } from './preference-store.ts'
import { nextDigest, sectionsBy } from './preferences.ts'
import type { PreferencesRow } from './tables.ts'

/** The digest of one admin user; it covers news up to `until`. */
export interface DigestJob {
  readonly userId: number
  readonly until: string
}

/** Newer items are left to the next digest: transactions that began earlier may not have ended yet. */
const settlingMs = 60_000

/** Digests that one process writes at the same time. Many are due at the same hour, and none is urgent. */
const concurrency = 2

/** Writes and sends a digest, if there is news. */
export function createDigestJob({ database, auth, inbox, email, letters, store }: NotificationParts) {
  return defineJob({
    name: 'notifications.send-digest',
    payload: Type.Object({ userId: Type.Integer(), until: Type.String() }),
    concurrency,
    async run({ userId, until }: DigestJob) {
      const recipient = await store.recipient(userId)
      if (recipient === undefined || recipient.digestUntil >= until) return { status: 'done' }
      const principal = await auth.makers.find(`admin:${userId}`)
      if (principal?.kind !== 'admin') return { status: 'blocked' }
      const period = { after: recipient.digestUntil, until }
      const sections = newsOf(await inbox.find(principal), sectionsBy('digest', recipient), period)
      const news = countNews(sections)
      return database.transaction(async (tx) => {
        const isFirst = await store.noteDigest(userId, until, tx)
        if (isFirst && news > 0) await email.send(tx, letters.digest(recipient, principal, sections))
        return { status: 'done', news: isFirst ? news : 0 }
      })
    },
  })
}

export interface DueParts extends Pick<NotificationParts, 'database' | 'email' | 'store'> {
  readonly jobs: Jobs
  readonly sending: JobKind<DigestJob>
}

/** Creates the jobs for users whose digest is due. */
export function createDueJob({ database, email, store, jobs, sending }: DueParts): JobKind<object> {
  async function planPortion(now: Date): Promise<number> {
    const until = new Date(now.getTime() - settlingMs).toISOString()
    return database.transaction(async (tx) => {
      const due = await store.lockDue(now.toISOString(), tx)
      for (const [next, ids] of byNextDigest(due, now)) await store.postpone(ids, next, tx)
      const payloads = due.map(({ userId }) => ({ payload: { userId, until } }))
      await jobs.enqueueMany(tx, sending, payloads)
      return due.length
    })
  }

  return defineJob({
    name: 'notifications.digests',
    payload: Type.Object({}),
    async run(_, { signal }) {
      // The digests stay due until mail can be sent.
      if (!email.isConfigured) return { status: 'mail is off' }
      let planned = 0
      for (let count = portion; count === portion && !signal.aborted; planned += count) {
        count = await planPortion(new Date())
      }
      return { planned }
    },
  })
}

/** The ids of rows by when their next digest is due, which for most is the same moment. */
function byNextDigest(rows: readonly PreferencesRow[], now: Date): ReadonlyMap<string | null, number[]> {
  const byNext = new Map<string | null, number[]>()
  for (const row of rows) {
    const next = nextDigest(row, now)
    const ids = byNext.get(next)
    if (ids === undefined) byNext.set(next, [row.id])
    else ids.push(row.id)
  }
  return byNext
}
