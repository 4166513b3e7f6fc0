import { sql } from 'drizzle-orm'
import { type Database, query } from '../database/database.ts'
import type { MetricSource } from '../metrics/metrics.ts'

/** What an operator wants to know of the deliveries in the log. */
export function deliveryMetrics(database: Database): MetricSource {
  const counts = query<{ status: string; value: number }>(
    database,
    () => sql`select status, count(*) as value from svc_webhook_deliveries group by status`,
    { status: { column: 'status', kind: 'string' }, value: { column: 'value', kind: 'integer' } },
  )
  return {
    name: 'mortise_webhook_deliveries',
    help: 'Webhook deliveries in the database by status, of all processes; old ones until they are removed',
    scope: 'service',
    labelNames: ['status'],
    read: async () => (await counts.all()).map(({ status, value }) => ({ labels: { status }, value })),
  }
}
