import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from '../../database-error.ts'
import type { PostgresClient } from './postgres-client.ts'
import { isOutdated } from './prepared-texts.ts'
import type { ServerPath } from './server-path.ts'

/** The maximum number of server sessions to occupy while looking for the one that serves the first connection. */
const mostTaken = 20

const patienceMs = 1_000

/** Holds for every pooler. */
const leastPromised: ServerPath = { pooling: 'transaction', keepsStatements: false }

/**
 * Finds out how a pooler pools by experiment, since clients cannot see its settings. One connection asks which
 * session serves it; others then occupy sessions by beginning transactions. If one of them gets that very session,
 * the pooler pools by transaction. If a new session is opened for one, no other was free, so the first session stays
 * with its connection. If a busy pooler leaves this undecided, the result is pooling by transaction without prepared
 * statements, which works with any.
 * @throws DatabaseError if the pooler allows no transactions; otherwise the error of `open`
 */
export async function explorePooler(open: () => Promise<PostgresClient>): Promise<ServerPath> {
  const asking = await open()
  const takers: PostgresClient[] = []
  try {
    const question = `select pg_backend_pid(), clock_timestamp()::text /* ${randomUUID()} */`
    const { rows } = await asking.query(question, [])
    const [looked, askedAt] = [Number(rows[0]?.[0]), String(rows[0]?.[1])]
    while (takers.length < mostTaken) {
      const taker = await open()
      takers.push(taker)
      const taken = await soon(takeSession(taker, askedAt))
      if (taken === undefined) return leastPromised
      if (taken.isNew) return { pooling: 'session' }
      if (taken.processId !== looked) continue
      return { pooling: 'transaction', keepsStatements: await answersElsewhere(asking, question) }
    }
    return leastPromised
  } finally {
    for (const client of [asking, ...takers]) client.destroy()
  }
}

async function takeSession(client: PostgresClient, askedAt: string) {
  const text =
    'select pid, backend_start > $1::timestamptz from pg_stat_activity where pid = pg_backend_pid()'
  const begun = begin(client)
  const asked = client.query(text, [askedAt])
  asked.catch(() => undefined)
  await begun
  const { rows } = await asked
  return { processId: Number(rows[0]?.[0]), isNew: rows[0]?.[1] === true }
}

async function begin(client: PostgresClient) {
  try {
    await client.command('begin')
  } catch (error) {
    // PgBouncer gives a reason and closes the connection; the driver only reports the latter.
    if (!client.isClosed) throw error
    throw new DatabaseError('unavailable', 'the pooler in front of it allows no transactions', {
      remedy: 'let it pool by transaction or by session (PgBouncer: pool_mode)',
      cause: error,
    })
  }
}

/** Whether a statement that was prepared in one session is known in another, while the first session is occupied. */
async function answersElsewhere(client: PostgresClient, prepared: string): Promise<boolean> {
  try {
    return (await soon(client.query(prepared, []))) !== undefined
  } catch (error) {
    if (isOutdated(error)) return false
    throw error
  }
}

/** Undefined if it takes too long: all sessions of the pooler may be in use. */
async function soon<T>(answer: Promise<T>): Promise<T | undefined> {
  answer.catch(() => undefined)
  return Promise.race([answer, delay(patienceMs, undefined, { ref: false })])
}
