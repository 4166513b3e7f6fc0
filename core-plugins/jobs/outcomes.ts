import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Log } from '../../kernel/index.ts'
import { type Database, query, type Transaction } from '../database/database.ts'
import type { ClaimedJob } from './claims.ts'
import type { Mailboxes } from './mailboxes.ts'
import { released } from './tables.ts'

/** How an attempt has ended. */
export type Outcome =
  | { readonly status: 'completed'; readonly result: unknown }
  | { readonly status: 'failed' | 'cancelled'; readonly error: string | null }
  /** Another attempt follows. */
  | { readonly status: 'waiting'; readonly error: string; readonly runAt: string }
  /** The attempt does not count: the service stops. */
  | { readonly status: 'handedBack' }

/** Writes down how attempts have ended. */
export interface Outcomes {
  /** Resolves after the commit; false where the job is no longer this worker's. */
  record(job: ClaimedJob, outcome: Outcome): Promise<boolean>
}

export interface OutcomesOptions {
  readonly database: Database
  readonly mailboxes: Mailboxes
  readonly worker: string
  readonly log: Log
}

interface Entry {
  readonly job: ClaimedJob
  readonly outcome: Outcome
  readonly resolve: (isOurs: boolean) => void
}

const maxPerTransaction = 200
const maxTries = 5

/**
 * What comes in while a transaction is being written goes into the next one together, so that under load many jobs
 * share the cost of one commit.
 */
export function createOutcomes(options: OutcomesOptions): Outcomes {
  const { database, mailboxes, worker, log } = options
  const write = outcomeWriter(database, worker)
  let waiting: Entry[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    // What ends at the same moment shares the first commit, too.
    await Promise.resolve()
    while (waiting.length > 0) {
      const entries = waiting.slice(0, maxPerTransaction)
      waiting = waiting.slice(maxPerTransaction)
      const ours = await writePatiently(entries)
      await releaseMailboxes(entries)
      entries.forEach(({ resolve }, index) => {
        resolve(ours[index] ?? false)
      })
    }
    isWriting = false
  }

  /** What cannot be written, or is lost with the machine, is left to the lease: the job runs again. */
  async function writePatiently(entries: readonly Entry[]): Promise<readonly boolean[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await database.transaction((tx) => write(entries, tx), { durability: 'relaxed' })
      } catch (error) {
        log.error({ err: error, jobs: entries.length }, 'the end of jobs could not be written down')
        if (tries === maxTries) return []
        await delay(100 * 2 ** tries)
      }
    }
  }

  async function releaseMailboxes(entries: readonly Entry[]): Promise<void> {
    try {
      await mailboxes.release(entries.map(({ job }) => job.mailbox))
    } catch (error) {
      log.warn({ err: error }, 'held jobs wait until they are looked for')
    }
  }

  return {
    record(job, outcome) {
      return new Promise((resolve) => {
        waiting.push({ job, outcome, resolve })
        if (!isWriting) void writeAll()
      })
    },
  }
}

/** Tells of each entry whether its job was still this worker's. */
function outcomeWriter(database: Database, worker: string) {
  const queries = outcomeQueries(database)

  function writeOne({ job: { id, attempts }, outcome }: Entry, tx: Transaction) {
    const now = new Date().toISOString()
    const mine = { id, attempts, worker }
    switch (outcome.status) {
      case 'completed':
        return queries.complete.run({ ...mine, now, result: outcome.result }, tx)
      case 'waiting':
        return queries.wait.run(
          { ...mine, now, error: outcome.error, runAt: outcome.runAt, uncounted: 0 },
          tx,
        )
      case 'handedBack':
        return queries.wait.run({ ...mine, now, error: null, runAt: now, uncounted: 1 }, tx)
      default:
        return queries.end.run({ ...mine, now, status: outcome.status, error: outcome.error }, tx)
    }
  }

  /** One statement for all that have succeeded at their first attempt and have nothing to tell: most of them. */
  async function completePlain(entries: readonly Entry[], tx: Transaction): Promise<void> {
    if (entries.length === 0) return
    const ids = entries.map(({ job }) => job.id)
    await queries.completePlain.run({ ids, worker, now: new Date().toISOString() }, tx)
  }

  return async (entries: readonly Entry[], tx: Transaction): Promise<readonly boolean[]> => {
    const plain = entries.filter(isPlain)
    // Sent together, so that a database over a network is not waited for once per job.
    const [, ...results] = await Promise.all([
      completePlain(plain, tx),
      ...entries.filter((entry) => !isPlain(entry)).map((entry) => writeOne(entry, tx)),
    ])
    const changes = results.values()
    return entries.map((entry) => isPlain(entry) || (changes.next().value?.changes ?? 0) > 0)
  }
}

function isPlain({ job, outcome }: Entry): boolean {
  return outcome.status === 'completed' && outcome.result === null && job.attempts === 1
}

function outcomeQueries(database: Database) {
  return {
    completePlain: query(
      database,
      (value, inList) => sql`update svc_jobs set status = 'completed', progress = 100,
        finished_at = ${value('now', 'datetime')}, pending_key = null, ${released}
        where ${inList(sql`id`, 'ids', 'id')} and worker = ${value('worker', 'string')}
        and attempts = 1 and status = 'active'`,
    ),
    complete: query(
      database,
      (value) => sql`update svc_jobs set status = 'completed', progress = 100, error = null,
        result = ${value('result', 'json')}, finished_at = ${value('now', 'datetime')},
        pending_key = null, ${released}
        where id = ${value('id', 'id')} and worker = ${value('worker', 'string')}
        and attempts = ${value('attempts', 'integer')} and status = 'active'`,
    ),
    end: query(
      database,
      (
        value,
      ) => sql`update svc_jobs set status = ${value('status', 'string')}, error = ${value('error', 'text')},
        finished_at = ${value('now', 'datetime')}, pending_key = null, ${released}
        where id = ${value('id', 'id')} and worker = ${value('worker', 'string')}
        and attempts = ${value('attempts', 'integer')} and status = 'active'`,
    ),
    wait: query(
      database,
      (value) => sql`update svc_jobs set status = 'waiting', error = ${value('error', 'text')},
        run_at = ${value('runAt', 'datetime')}, planned_at = ${value('now', 'datetime')}, attempts = attempts - ${value('uncounted', 'integer')}, ${released}
        where id = ${value('id', 'id')} and worker = ${value('worker', 'string')}
        and attempts = ${value('attempts', 'integer')} and status = 'active'`,
    ),
  }
}
