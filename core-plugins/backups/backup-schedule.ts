import { sql } from 'drizzle-orm'
import { type Columns, type Database, insertInto, query, selectList } from '../database/database.ts'
import type { Schedules } from '../schedules/schedules.ts'
import type { Sections } from './backups.ts'
import { defaultRetentionDays } from './catalog.ts'
import { readSections } from './restore/inspect.ts'

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
  readonly enabled?: boolean | undefined
  readonly cronExpression?: string | undefined
  readonly retentionDays?: number | undefined
  readonly sections?: Partial<Sections> | undefined
}

/** When backups are made by themselves, and what is in them. */
export interface BackupSchedule {
  /** What the backups of the schedule are like. */
  contents(): Promise<Pick<ScheduleSettings, 'retentionDays' | 'sections'>>
  get(schedules: Schedules): Promise<ScheduleSettings>
  /** @throws AppError 400 */
  change(change: ScheduleSettingsChange, schedules: Schedules): Promise<ScheduleSettings>
}

const columns = {
  name: { column: 'name', kind: 'string' },
  retentionDays: { column: 'retention_days', kind: 'decimal' },
  sections: { column: 'sections', kind: 'json' },
} as const satisfies Columns

interface ScheduleRow {
  readonly retentionDays: number
  readonly sections: Sections
}

export function createBackupSchedule(database: Database, available: Sections): BackupSchedule {
  const queries = scheduleQueries(database)

  async function contents() {
    const row = await queries.find.get({ name: scheduleName })
    const { retentionDays = defaultRetentionDays, sections = available } = row ?? {}
    return { retentionDays, sections }
  }

  async function get(schedules: Schedules): Promise<ScheduleSettings> {
    const { enabled, cronExpression } = await schedules.get(scheduleName)
    return { enabled, cronExpression, ...(await contents()) }
  }

  return {
    contents,
    get,
    async change({ enabled, cronExpression, retentionDays, sections }, schedules) {
      const present = await contents()
      const row = {
        name: scheduleName,
        retentionDays: retentionDays ?? present.retentionDays,
        sections: sections === undefined ? present.sections : readSections(sections, available),
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
  const select = sql`select ${selectList(database, columns)} from svc_backup_schedule`
  return {
    find: query<ScheduleRow>(
      database,
      (value) => sql`${select} where name = ${value('name', 'string')}`,
      columns,
    ),
    lock: query<ScheduleRow>(
      database,
      (value) => sql`${select} where name = ${value('name', 'string')} ${database.dialect.forUpdate}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_backup_schedule', columns, value)),
    update: query(
      database,
      (value) => sql`update svc_backup_schedule set retention_days = ${value('retentionDays', 'decimal')},
        sections = ${value('sections', 'json')} where name = ${value('name', 'string')}`,
    ),
  }
}
