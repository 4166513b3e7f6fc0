import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../kernel/index.ts'
import type { JobKind } from '../jobs/jobs.ts'

/** Work that is done again and again; decisions.md, 8. */
export interface Schedule<Payload = unknown> {
  /** Unique, such as `backup.cleanup`; what an administrator has changed about it is kept under this name. */
  readonly name: string
  readonly kind: JobKind<Payload>
  readonly payload: Payload
  /** Five fields, or six with seconds in front. Until an administrator says otherwise. */
  readonly cronExpression: string
  /** IANA name of a time zone; UTC unless told otherwise. */
  readonly timezone?: string
  /** True unless told otherwise. Until an administrator says otherwise. */
  readonly enabled?: boolean
}

/** Contribute in `register` or `init`. */
export const schedules: ExtensionPoint<Schedule> = extensionPoint('schedules')

/** Types the payload by the kind. */
export function defineSchedule<Payload>(schedule: Schedule<Payload>): Schedule {
  return schedule as Schedule
}

/** A schedule as it stands; moments are ISO 8601. */
export interface ScheduleState {
  readonly id: number
  readonly name: string
  readonly cronExpression: string
  readonly timezone: string
  readonly enabled: boolean
  readonly lastRunAt: string | null
  /** That of the job that the last run has made; null where there was none, or where it is long gone. */
  readonly lastStatus: string | null
  /** Null while it is not enabled. */
  readonly nextRunAt: string | null
}

export interface ScheduleChange {
  readonly enabled?: boolean | undefined
  readonly cronExpression?: string | undefined
}

/** Reads and changes schedules; their owners and administrators do. */
export interface Schedules {
  /** @throws Error if nobody contributes it */
  get(name: string): Promise<ScheduleState>
  /** @throws AppError 400 for a bad cron expression; Error if nobody contributes it */
  change(name: string, change: ScheduleChange): Promise<ScheduleState>
}

export const schedulesService: ServiceToken<Schedules> = service('schedules')
