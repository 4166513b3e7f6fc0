import { assertUniqueNames, type ContributionOf, PluginFault } from '../../../kernel/index.ts'
import { cronProblem } from './cron.ts'
import type { Schedule } from './schedules.ts'

/** @throws PluginFault of the first plugin whose schedule has a duplicate name or is never due */
export function assertSchedules(contributed: readonly ContributionOf<Schedule>[]): void {
  assertUniqueNames('schedule', contributed)
  for (const { plugin, value } of contributed) {
    const problem = cronProblem(value.cronExpression, value.timezone ?? 'UTC')
    if (problem === undefined) continue
    throw new PluginFault(plugin, new Error(`the cronExpression of the schedule ${value.name} ${problem}`))
  }
}
