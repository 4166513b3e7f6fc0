import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { Config } from '../config/config.ts'
import { type Database, type Query, query } from '../database/database.ts'
import { defineJob, type JobContext, type JobKind } from '../jobs/jobs.ts'
import { logRetentionDays } from './settings.ts'

const dayMs = 24 * 60 * 60_000
/** Rows of one delete, so that none of them holds locks for long. */
const batchSize = 500

/** Deletes what is older than `webhooks.logRetentionDays`, but nothing that is still to be delivered. */
export function createPruningJob(database: Database, config: Config): JobKind<object> {
  const { oldDeliveries, oldPayloads, removeDeliveries, removePayloads } = pruningQueries(database)
  return defineJob({
    name: 'webhooks.prune',
    payload: Type.Object({}),
    async run(_, { signal }) {
      const before = new Date(Date.now() - config.get(logRetentionDays) * dayMs).toISOString()
      const values = { before, limit: batchSize }
      const deliveries = await removeInBatches(oldDeliveries, removeDeliveries, { values, signal })
      // Only when no finished delivery refers to them any more.
      const payloads = await removeInBatches(oldPayloads, removePayloads, { values, signal })
      return { deliveries, payloads }
    },
  })
}

/** Deletes the deliveries of a webhook that is gone. */
export function createForgettingJob(database: Database): JobKind<{ webhookId: number }> {
  const { ofWebhook, removeDeliveries } = pruningQueries(database)
  return defineJob({
    name: 'webhooks.forget',
    payload: Type.Object({ webhookId: Type.Integer() }),
    async run({ webhookId }, { signal }) {
      const values = { webhookId, limit: batchSize }
      return { deliveries: await removeInBatches(ofWebhook, removeDeliveries, { values, signal }) }
    },
  })
}

/** At a minute of its own, when others do not tidy up. */
export const pruningTimes = '23 * * * *'

interface Batches extends Pick<JobContext, 'signal'> {
  readonly values: Readonly<Record<string, unknown>>
}

async function removeInBatches(
  find: Query<{ id: unknown }>,
  remove: Query<unknown>,
  { values, signal }: Batches,
): Promise<number> {
  let count = 0
  for (;;) {
    signal.throwIfAborted()
    const ids = (await find.all(values)).map(({ id }) => id)
    if (ids.length === 0) return count
    await remove.run({ ids })
    count += ids.length
  }
}

function pruningQueries(database: Database) {
  const deliveries = sql`svc_webhook_deliveries`
  const payloads = sql`svc_webhook_payloads`
  const delivery = { id: { column: 'id', kind: 'id' } } as const
  const payload = { id: { column: 'id', kind: 'string' } } as const
  return {
    // A test has one attempt, which is long over.
    oldDeliveries: query<{ id: unknown }>(
      database,
      (value) => sql`select id from ${deliveries} where created_at < ${value('before', 'datetime')}
        and (status in ('delivered', 'dead') or origin = 'test') limit ${value('limit', 'integer')}`,
      delivery,
    ),
    oldPayloads: query<{ id: unknown }>(
      database,
      (value) => sql`select id from ${payloads} where created_at < ${value('before', 'datetime')}
        and id not in (select payload_id from ${deliveries} where status in ('pending', 'retrying'))
        limit ${value('limit', 'integer')}`,
      payload,
    ),
    ofWebhook: query<{ id: unknown }>(
      database,
      (value) => sql`select id from ${deliveries} where webhook_id = ${value('webhookId', 'integer')}
        limit ${value('limit', 'integer')}`,
      delivery,
    ),
    removeDeliveries: query(
      database,
      (_, inList) => sql`delete from ${deliveries} where ${inList(sql`id`, 'ids', 'id')}`,
    ),
    removePayloads: query(
      database,
      (_, inList) => sql`delete from ${payloads} where ${inList(sql`id`, 'ids', 'string')}`,
    ),
  }
}
