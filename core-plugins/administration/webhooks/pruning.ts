import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { defineJob, type JobContext, type JobKind } from '../../background/jobs/jobs.ts'
import type { Config } from '../../foundation/config/config.ts'
import { type Database, type Query, query, type Value } from '../../foundation/database/database.ts'
import { logRetentionDays } from './settings.ts'
import { deliveriesTable, payloadsTable } from './tables.ts'

const dayMs = 24 * 60 * 60_000
/** The number of rows per delete, so that locks are held only briefly. */
const batchSize = 500

/** Deletes deliveries older than `webhooks.logRetentionDays`, except those still to be sent. */
export function createPruningJob(database: Database, config: Config): JobKind<object> {
  const { oldDeliveries, oldPayloads, removeDeliveries, removePayloads } = pruningQueries(database)
  return defineJob({
    name: 'webhooks.prune',
    payload: Type.Object({}),
    async run(_, { signal }) {
      const before = new Date(Date.now() - config.get(logRetentionDays) * dayMs).toISOString()
      const values = { before, limit: batchSize }
      const deliveries = await removeInBatches(oldDeliveries, removeDeliveries, { values, signal })
      // Deletes payloads once no delivery refers to them.
      const payloads = await removeInBatches(oldPayloads, removePayloads, { values, signal })
      return { deliveries, payloads }
    },
  })
}

/** Deletes the deliveries of a deleted webhook. */
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

/** At a different minute than other cleanup jobs. */
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
  const [d, p] = [deliveriesTable.columns, payloadsTable.columns]
  const limit = (value: Value) => sql`limit ${value('limit', 'integer')}`
  return {
    // Tests are included whatever their status, since their only attempt is long over.
    oldDeliveries: query<{ id: unknown }>(
      database,
      (
        value,
      ) => sql`select ${d.id} from ${deliveriesTable} where ${d.createdAt} < ${value(d.createdAt, 'before')}
        and (${d.status} in ('delivered', 'dead') or ${d.origin} = 'test') ${limit(value)}`,
      deliveriesTable.pick('id'),
    ),
    oldPayloads: query<{ id: unknown }>(
      database,
      (
        value,
      ) => sql`select ${p.id} from ${payloadsTable} where ${p.createdAt} < ${value(p.createdAt, 'before')}
        and ${p.id} not in
          (select ${d.payloadId} from ${deliveriesTable} where ${d.status} in ('pending', 'retrying'))
        ${limit(value)}`,
      payloadsTable.pick('id'),
    ),
    ofWebhook: query<{ id: unknown }>(
      database,
      (value) => sql`select ${d.id} from ${deliveriesTable} where ${d.webhookId} = ${value(d.webhookId)}
        ${limit(value)}`,
      deliveriesTable.pick('id'),
    ),
    removeDeliveries: deliveriesTable.on(database).delete((_, inList) => inList(d.id, 'ids')),
    removePayloads: payloadsTable.on(database).delete((_, inList) => inList(p.id, 'ids')),
  }
}
