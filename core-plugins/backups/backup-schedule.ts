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

/** What the backups of the schedule are like, and who has said so. */
export interface ScheduledContents extends Pick<ScheduleSettings, 'retentionDays' | 'sections'> {
  /** As `Makers` of auth names it; null where nobody has, or before makers were written down. */
  readonly madeBy: string | null
}

export interface ScheduleSettingsChange {
  /** Whose rights its backups are made with. */
  readonly madeBy: string
  readonly enabled?: boolean | undefined
  readonly cronExpression?: string | undefined
  readonly retentionDays?: number | undefined
  readonly sections?: Partial<Sections> | undefined
}

/** When backups are made by themselves, and what is in them. */
export interface BackupSchedule {
  contents(): Promise<ScheduledContents>
  /** The sections that it would have after a change. @throws AppError 400 */
  meant(sections: Partial<Sections> | undefined): Promise<Sections>
  get(schedules: Schedules): Promise<ScheduleSettings>
  /** @throws AppError 400 */
  change(change: ScheduleSettingsChange, schedules: Schedules): Promise<ScheduleSettings>
}

const columns = {
  name: { column: 'name', kind: 'string' },
  retentionDays: { column: 'retention_days', kind: 'decimal' },
  sections: { column: 'sections', kind: 'json' },
  madeBy: { column: 'made_by', kind: 'string' },
} as const satisfies Columns

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
  const select = sql`select ${selectList(database, columns)} from svc_backup_schedule`
  return {
    find: query<ScheduledContents>(
      database,
      (value) => sql`${select} where name = ${value('name', 'string')}`,
      columns,
    ),
    lock: query<ScheduledContents>(
      database,
      (value) => sql`${select} where name = ${value('name', 'string')} ${database.dialect.forUpdate}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_backup_schedule', columns, value)),
    update: query(
      database,
      (value) => sql`update svc_backup_schedule set retention_days = ${value('retentionDays', 'decimal')},
        sections = ${value('sections', 'json')}, made_by = ${value('madeBy', 'string')} where name = ${value('name', 'string')}`,
    ),
  }
}
