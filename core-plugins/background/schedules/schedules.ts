import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { JobKind } from '../jobs/jobs.ts'
import type { ScheduleState } from './schedule-state.ts'

export { nextRun } from './cron.ts'
export type { ScheduleState } from './schedule-state.ts'

/** Recurring work; see docs/jobs.md. */
export interface Schedule<Payload = unknown> {
  /** Unique, e.g. `backup.cleanup`; an administrator's changes are stored under this name. */
  readonly name: string
  readonly kind: JobKind<Payload>
  readonly payload: Payload
  /** Five fields, or six with seconds first. Used until an administrator changes it. */
  readonly cronExpression: string
  /** IANA name of a time zone; UTC by default. */
  readonly timezone?: string
  /** True by default. Used until an administrator changes it. */
  readonly enabled?: boolean
}

/** Contribute in `register` or `init`. */
export const schedules: ExtensionPoint<Schedule> = extensionPoint('schedules')

/** Infers the payload type from the kind. */
export function defineSchedule<Payload>(schedule: Schedule<Payload>): Schedule {
  return schedule as Schedule
}

/** An administrator's change of a schedule; omitted members stay unchanged. */
export interface ScheduleChange {
  readonly enabled?: boolean | undefined
  readonly cronExpression?: string | undefined
}

/** Reads and changes schedules, for their owners and for administrators. */
export interface Schedules {
  /** @throws Error if no plugin contributes it */
  get(name: string): Promise<ScheduleState>
  /** @throws AppError 400 for a bad cron expression; Error if no plugin contributes it */
  change(name: string, change: ScheduleChange): Promise<ScheduleState>
}

/** Reads and changes when recurring jobs run. */
export const schedulesService: ServiceToken<Schedules> = service('schedules')
