import type { Schedules } from '../../background/schedules/schedules.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import { defaultRetentionDays } from './catalog.ts'
import { readSections } from './restore/inspect.ts'
import { type ScheduledContents, scheduleTable } from './tables.ts'

/** The name of the schedule. */
export const scheduleName = 'backup.create'

/** Specification, "Backup schedule". */
export interface ScheduleSettings {
  readonly enabled: boolean
  readonly cronExpression: string
  readonly retentionDays: number
  readonly sections: Sections
}

export interface ScheduleSettingsChange {
  /** The principal with whose rights its backups are made. */
  readonly madeBy: string
  readonly enabled?: boolean | undefined
  readonly cronExpression?: string | undefined
  readonly retentionDays?: number | undefined
  readonly sections?: Partial<Sections> | undefined
}

/** When scheduled backups are made, and what they contain. */
export interface BackupSchedule {
  contents(): Promise<ScheduledContents>
  /** The sections after a change. @throws AppError 400 */
  meant(sections: Partial<Sections> | undefined): Promise<Sections>
  get(schedules: Schedules): Promise<ScheduleSettings>
  /** @throws AppError 400 */
  change(change: ScheduleSettingsChange, schedules: Schedules): Promise<ScheduleSettings>
}

export function createBackupSchedule(database: Database, available: Sections): BackupSchedule {
  const queries = scheduleQueries(database)

  async function contents(): Promise<ScheduledContents> {
    const row = await queries.find.get({ name: scheduleName })
    return row ?? { retentionDays: defaultRetentionDays, sections: available, madeBy: null }
  }

  async function meant(sections: Partial<Sections> | undefined): Promise<Sections> {
    return sections === undefined ? (await contents()).sections : readSections(sections, available)
  }

  async function get(schedules: Schedules): Promise<ScheduleSettings> {
    const { enabled, cronExpression } = await schedules.get(scheduleName)
    const { retentionDays, sections } = await contents()
    return { enabled, cronExpression, retentionDays, sections }
  }

  return {
    contents,
    meant,
    get,
    async change({ enabled, cronExpression, retentionDays, sections, madeBy }, schedules) {
      const present = await contents()
      const row = {
        name: scheduleName,
        retentionDays: retentionDays ?? present.retentionDays,
        sections: await meant(sections),
        madeBy,
      }
      await schedules.change(scheduleName, { enabled, cronExpression })
      await database.transaction(async (tx) => {
        const found = await queries.lock.get({ name: scheduleName }, tx)
        await (found === undefined ? queries.insert : queries.update).run(row, tx)
      })
      return get(schedules)
    },
  }
}

function scheduleQueries(database: Database) {
  const schedule = scheduleTable.on(database)
  return {
    find: schedule.find(['name'], { pick: scheduleTable.except('name') }),
    lock: schedule.find(['name'], { pick: ['name'], lock: true }),
    insert: schedule.insert(),
    update: schedule.update(['retentionDays', 'sections', 'madeBy'], ['name']),
  }
}
