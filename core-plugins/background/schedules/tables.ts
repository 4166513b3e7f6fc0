import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/**
 * The current state of schedules. The row of a schedule that is no longer contributed stays, so that an
 * administrator's changes are kept until its plugin returns.
 */
export const schedulesTable = defineTable(
  'svc_schedules',
  {
    id: column.id(),
    name: column.string(100),
    // Null if the schedule's own value is used.
    cronExpression: column.string().nullable(),
    isEnabled: column.boolean().nullable(),
    // The expression and time zone from which `next_run_at` was computed: when a new version changes them, it is computed again.
    plannedBy: column.string().nullable(),
    nextRunAt: column.datetime().nullable(),
    lastRunAt: column.datetime().nullable(),
    lastJobId: column.integer().nullable(),
  },
  {
    indexes: [
      { columns: ['name'], type: 'unique' },
      { columns: ['nextRunAt'], type: 'index' },
    ],
  },
)

export type ScheduleRow = RowOf<typeof schedulesTable>
