import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Log } from '../../../kernel/index.ts'
import type { Database, Transaction, Value } from '../../foundation/database/database.ts'
import type { ClaimedJob } from './claims.ts'
import type { Mailboxes } from './mailboxes.ts'
import { jobsTable, released, untold } from './tables.ts'

/** How an attempt ended. */
export type Outcome =
  | { readonly status: 'completed'; readonly result: unknown }
  | { readonly status: 'failed' | 'cancelled'; readonly error: string | null }
  /** The job is retried. */
  | { readonly status: 'waiting'; readonly error: string; readonly runAt: string }
  /** The attempt does not count: the service is stopping. */
  | { readonly status: 'handedBack' }

/** Records how attempts ended. */
export interface Outcomes {
  /** Resolves after the commit; false if the job is no longer this runner's. */
  record(job: ClaimedJob, outcome: Outcome): Promise<boolean>
}

export interface OutcomesOptions {
  readonly database: Database
  readonly mailboxes: Mailboxes
  readonly runner: string
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
 * Outcomes that arrive while a transaction is being written go into the next one together, so that under load
 * many jobs share the cost of a commit.
 */
export function createOutcomes(options: OutcomesOptions): Outcomes {
  const { database, mailboxes, runner, log } = options
  const write = outcomeWriter(database, runner)
  let waiting: Entry[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    // Attempts that end at the same moment share the first commit, too.
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

  /** Outcomes that cannot be written, or are lost in a crash, are left to the lease: the job runs again. */
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

/** Reports for each entry whether its job was still this runner's. */
function outcomeWriter(database: Database, runner: string) {
  const queries = outcomeQueries(database)

  function writeOne({ job: { id, attempts }, outcome }: Entry, tx: Transaction) {
    const now = new Date().toISOString()
    const mine = { id, attempts, runner }
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
        return queries.end.run({ ...mine, now, status: untold[outcome.status], error: outcome.error }, tx)
    }
  }

  /** One statement for the most common case: jobs that succeeded at the first attempt without a result. */
  async function completePlain(entries: readonly Entry[], tx: Transaction): Promise<void> {
    if (entries.length === 0) return
    const ids = entries.map(({ job }) => job.id)
    await queries.completePlain.run({ ids, runner, now: new Date().toISOString() }, tx)
  }

  return async (entries: readonly Entry[], tx: Transaction): Promise<readonly boolean[]> => {
    const plain = entries.filter(isPlain)
    // Sent together, to save a network round trip per job.
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
  const jobs = jobsTable.on(database)
  const { id, status, attempts, runner, error, result, finishedAt, runAt, plannedAt } = jobsTable.columns
  const isMine = (value: Value) => sql`${id} = ${value(id)} and ${runner} = ${value(runner)}
    and ${attempts} = ${value(attempts)} and ${status} = 'active'`
  const finished = (value: Value) =>
    sql`${finishedAt} = ${value(finishedAt, 'now')}, pending_key = null, ${released}`
  return {
    completePlain: jobs.update(
      (value) => sql`${status} = 'completed', progress = 100, ${finished(value)}`,
      (value, inList) => sql`${inList(id, 'ids')} and ${runner} = ${value(runner)}
        and ${attempts} = 1 and ${status} = 'active'`,
    ),
    complete: jobs.update(
      (value) => sql`${status} = 'completed', progress = 100, ${error} = null,
        ${result} = ${value(result)}, ${finished(value)}`,
      isMine,
    ),
    end: jobs.update(
      (value) => sql`${status} = ${value(status)}, ${error} = ${value(error)}, ${finished(value)}`,
      isMine,
    ),
    wait: jobs.update(
      (value) => sql`${status} = 'waiting', ${error} = ${value(error)}, ${runAt} = ${value(runAt)},
        ${plannedAt} = ${value(plannedAt, 'now')}, ${attempts} = ${attempts} - ${value('uncounted', 'integer')},
        ${released}`,
      isMine,
    ),
  }
}
