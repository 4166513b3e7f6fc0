import type { TableSpec } from '../database/database.ts'

/**
 * What schedules are at the moment. The row of one that nobody contributes any more stays, so that what an
 * administrator has said about it is there again when its plugin is.
 */
export const schedulesTable: TableSpec = {
  name: 'svc_schedules',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'string', length: 100 },
    // Null where the schedule's own holds.
    { name: 'cron_expression', kind: 'string', nullable: true },
    { name: 'is_enabled', kind: 'boolean', nullable: true },
    // What `next_run_at` was worked out from: when that changes with a new version, it is worked out again.
    { name: 'planned_by', kind: 'string', nullable: true },
    { name: 'next_run_at', kind: 'datetime', nullable: true },
    { name: 'last_run_at', kind: 'datetime', nullable: true },
    { name: 'last_job_id', kind: 'integer', nullable: true },
  ],
  indexes: [
    { columns: ['name'], type: 'unique' },
    { columns: ['next_run_at'], type: 'index' },
  ],
}
