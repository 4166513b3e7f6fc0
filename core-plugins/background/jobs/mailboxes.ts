import { sql } from 'drizzle-orm'
import { type Database, query } from '../../foundation/database/database.ts'
import { jobsTable } from './tables.ts'

/** Releases the next job of a mailbox. */
export interface Mailboxes {
  /**
   * Makes the first held job of each mailbox wait again, unless an unfinished one precedes it; nulls are skipped. Must run after
   * the commit that finished the preceding jobs, and after the commit that held a job: at least one of the two sees the other, so
   * that no job is forgotten.
   */
  release(mailboxes: readonly (string | null)[]): Promise<void>
  /** Does this for all mailboxes, to repair what a killed process has left behind. */
  releaseAll(): Promise<void>
}

interface Head {
  readonly id: number
}

/** `onReleased` is called when a job waits again. */
export function createMailboxes(database: Database, onReleased: () => void): Mailboxes {
  const { heads, allHeads, letWait } = mailboxQueries(database)

  async function release(found: readonly Head[]): Promise<void> {
    if (found.length === 0) return
    await letWait.run({ ids: found.map(({ id }) => id) })
    onReleased()
  }

  return {
    async release(mailboxes) {
      const named = mailboxes.filter((mailbox) => mailbox !== null)
      if (named.length > 0) await release(await heads.all({ mailboxes: [...new Set(named)] }))
    },
    async releaseAll() {
      await release(await allHeads.all())
    },
  }
}

function mailboxQueries(database: Database) {
  const idColumn = jobsTable.pick('id')
  const firsts = (which = sql``) => sql`select first.id as id from
    (select min(id) as id, mailbox from svc_jobs where status = 'held' ${which} group by mailbox) first
    where not exists (select 1 from svc_jobs other where other.mailbox = first.mailbox and other.status = 'active')
    and not exists (select 1 from svc_jobs other
      where other.mailbox = first.mailbox and other.status = 'waiting' and other.id < first.id)`
  return {
    heads: query<Head>(
      database,
      (_, inList) => firsts(sql`and ${inList(sql`mailbox`, 'mailboxes', 'string')}`),
      idColumn,
    ),
    allHeads: query<Head>(database, () => firsts(), idColumn),
    letWait: query(
      database,
      (_, inList) => sql`update svc_jobs set status = 'waiting'
        where ${inList(sql`id`, 'ids', 'id')} and status = 'held'`,
    ),
  }
}
