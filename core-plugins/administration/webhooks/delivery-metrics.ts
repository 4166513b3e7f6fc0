import { sql } from 'drizzle-orm'
import { column, type Database, query } from '../../foundation/database/database.ts'
import type { MetricSource } from '../../foundation/metrics/metrics.ts'
import { deliveriesTable } from './tables.ts'

/** Metrics of the deliveries in the log. */
export function deliveryMetrics(database: Database): MetricSource {
  const { status } = deliveriesTable.columns
  const counts = query(
    database,
    () => sql`select ${status}, count(*) as value from ${deliveriesTable} group by ${status}`,
    { status, value: column.integer() },
  )
  return {
    name: 'mortise_webhook_deliveries',
    help: 'Webhook deliveries in the database by status, of all processes; old ones until they are removed',
    scope: 'service',
    labelNames: ['status'],
    read: async () => (await counts.all()).map(({ status, value }) => ({ labels: { status }, value })),
  }
}
