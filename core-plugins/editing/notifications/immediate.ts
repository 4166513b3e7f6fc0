import { Type } from 'typebox'
import { defineJob, type JobKind, type Jobs } from '../../background/jobs/jobs.ts'
import type { Notifier } from '../discussion/discussion.ts'
import { countNews, newsOfPending } from './news.ts'
import type { PendingStore } from './pending-store.ts'
import type { NotificationParts } from './plugin-parts.ts'
import { sectionsBy } from './preferences.ts'
import type { PreferencesRow } from './tables.ts'

/** Sends one admin user a mail about pending items. */
export interface ImmediateJob {
  readonly userId: number
}

export interface ImmediateParts extends NotificationParts {
  readonly pending: PendingStore
}

/** The minimum time between two of these mails to a user; anything that comes in between is included in the later one. */
const intervalMs = 5 * 60_000

const concurrency = 2

/** Sends one mail about all pending items that still wait and that the user may see. */
export function createImmediateJob(parts: ImmediateParts): JobKind<ImmediateJob> {
  const { database, auth, inbox, email, letters, store, pending } = parts

  async function mailOf(userId: number, rows: Awaited<ReturnType<PendingStore['of']>>) {
    const recipient = await store.recipient(userId)
    const principal = await auth.makers.find(`admin:${userId}`)
    if (recipient === undefined || principal?.kind !== 'admin' || !email.isConfigured) return undefined
    const asked = sectionsBy('immediately', recipient)
    const sections = newsOfPending(await inbox.find(principal), asked, rows)
    return countNews(sections) === 0 ? undefined : letters.notice(recipient, principal, sections)
  }

  return defineJob({
    name: 'notifications.send',
    payload: Type.Object({ userId: Type.Integer() }),
    concurrency,
    async run({ userId }: ImmediateJob) {
      await store.beginSending(userId)
      const rows = await pending.of(userId)
      const [newest] = rows
      if (newest === undefined) return { status: 'done' }
      const mail = await mailOf(userId, rows)
      await database.transaction(async (tx) => {
        const isFirst = await pending.removeUntil(userId, newest.id, tx)
        if (isFirst && mail !== undefined) await email.send(tx, mail)
      })
      return { status: mail === undefined ? 'nothing to tell' : 'done' }
    },
    // Otherwise no further job would ever be planned.
    onGivenUp: ({ userId }) => store.beginSending(userId),
  })
}

export interface NotifierParts extends Pick<ImmediateParts, 'email' | 'store' | 'pending'> {
  readonly jobs: Jobs
  readonly sending: JobKind<ImmediateJob>
}

/**
 * Records which users to notify at once about a comment or assignment, in its transaction. The lock on the preferences puts this
 * in order with `beginSending`: items recorded before it are in its mail, and items recorded later plan a mail of their own.
 */
export function createNotifier({ email, store, pending, jobs, sending }: NotifierParts): Notifier {
  return async (tx, { section, entry: { type, id: entryId }, principal, userIds, at }) => {
    const others = userIds.filter((id) => principal.kind !== 'admin' || principal.id !== id)
    if (others.length === 0 || !email.isConfigured) return
    const locked = await store.lock(others, tx)
    const asking = locked.filter(({ sections }) => sections[section] === 'immediately')
    const rows = asking.map(({ userId }) => ({ userId, section, type, entryId, at }))
    if (rows.length > 0) pending.add(rows, tx)
    const idle = asking.filter(({ isSendPlanned }) => !isSendPlanned)
    if (idle.length === 0) return
    await store.planSending(
      idle.map(({ userId }) => userId),
      tx,
    )
    const made = idle.map((row) => ({ payload: { userId: row.userId }, runAt: sendingTime(row) }))
    await jobs.enqueueMany(tx, sending, made)
  }
}

function sendingTime({ sentAt }: PreferencesRow): string {
  const earliestMs = sentAt === null ? 0 : Date.parse(sentAt) + intervalMs
  return new Date(Math.max(Date.now(), earliestMs)).toISOString()
}
