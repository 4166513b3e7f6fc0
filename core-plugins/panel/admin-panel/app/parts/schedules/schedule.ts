/** A job that runs by itself, as the service answers it. */
export interface Schedule {
  readonly id: number
  readonly name: string
  readonly cronExpression: string
  readonly timezone: string
  readonly enabled: boolean
  readonly lastRunAt: string | null
  readonly lastStatus: string | null
  readonly nextRunAt: string | null
}

export const schedulesResource = {
  key: 'schedules',
  path: '/admin/scheduled-jobs',
  hasItems: true,
  refreshMs: 15_000,
}
