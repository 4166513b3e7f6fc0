import { Type } from 'typebox'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

/** The current state of a schedule, as the API shows it. */
export const scheduleSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    cronExpression: Type.String(),
    timezone: Type.String(),
    enabled: Type.Boolean(),
    lastRunAt: orNull(timestampSchema),
    /** The status of the job created by the last run; null if there was none, or if it was removed. */
    lastStatus: orNull(Type.String()),
    /** Null while the schedule is disabled. */
    nextRunAt: orNull(timestampSchema),
  },
  strict,
)

/** The current state of a schedule; timestamps are ISO 8601. */
export type ScheduleState = RecordOf<typeof scheduleSchema>
