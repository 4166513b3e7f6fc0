import { sql } from 'drizzle-orm'
import { type Columns, type Database, type Queries, query, selectList } from '../database/database.ts'

/** A row of `svc_schedules`. */
export interface ScheduleRow {
  readonly id: number
  readonly name: string
  readonly cronExpression: string | null
  readonly isEnabled: boolean | null
  readonly plannedBy: string | null
  readonly nextRunAt: string | null
  readonly lastRunAt: string | null
  readonly lastJobId: number | null
}

/** The rows of schedules that are contributed. */
export interface ScheduleStore {
  all(names: readonly string[]): Promise<ScheduleRow[]>
  /** Makes the row of a schedule that has none yet. */
  ensure(name: string): Promise<void>
  /** Sets when it is due next; false where somebody else has done so since `row` was read. */
  advance(row: ScheduleRow, nextRunAt: string | null, on?: Queries): Promise<boolean>
  /** Plans it by its present settings, unless that has been done. */
  plan(id: number, plannedBy: string, nextRunAt: string | null, on?: Queries): Promise<void>
  change(id: number, change: Pick<ScheduleRow, 'cronExpression' | 'isEnabled'>, on: Queries): Promise<void>
  noteRun(id: number, run: { at: string; jobId: number }, on: Queries): Promise<void>
}

const columns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  cronExpression: { column: 'cron_expression', kind: 'string' },
  isEnabled: { column: 'is_enabled', kind: 'boolean' },
  plannedBy: { column: 'planned_by', kind: 'string' },
  nextRunAt: { column: 'next_run_at', kind: 'datetime' },
  lastRunAt: { column: 'last_run_at', kind: 'datetime' },
  lastJobId: { column: 'last_job_id', kind: 'integer' },
} as const satisfies Columns

export function createScheduleStore(database: Database): ScheduleStore {
  const queries = scheduleQueries(database)
  return {
    all: (names) => queries.all.all({ names }),
    async ensure(name) {
      await queries.ensure.run({ name })
    },
    async advance({ id, nextRunAt: seen }, nextRunAt, on) {
      return (await queries.advance.run({ id, seen, nextRunAt }, on)).changes > 0
    },
    async plan(id, plannedBy, nextRunAt, on) {
      await queries.plan.run({ id, plannedBy, nextRunAt }, on)
    },
    async change(id, { cronExpression, isEnabled }, on) {
      await queries.change.run({ id, cronExpression, isEnabled }, on)
    },
    async noteRun(id, { at, jobId }, on) {
      await queries.noteRun.run({ id, at, jobId }, on)
    },
  }
}

function scheduleQueries(database: Database) {
  const select = sql`select ${selectList(database, columns)} from svc_schedules`
  return {
    all: query<ScheduleRow>(
      database,
      (_, inList) => sql`${select} where ${inList(sql`name`, 'names', 'string')} order by name`,
      columns,
    ),
    ensure: query(
      database,
      (value) => sql`insert into svc_schedules (name) values (${value('name', 'string')})
        ${database.dialect.ignoreDuplicates('id')}`,
    ),
    advance: query(
      database,
      (value) => sql`update svc_schedules set next_run_at = ${value('nextRunAt', 'datetime')}
        where id = ${value('id', 'id')} and next_run_at = ${value('seen', 'datetime')}`,
    ),
    plan: query(
      database,
      (value) => sql`update svc_schedules set next_run_at = ${value('nextRunAt', 'datetime')},
        planned_by = ${value('plannedBy', 'string')}
        where id = ${value('id', 'id')}
        and (planned_by is null or planned_by <> ${value('plannedBy', 'string')})`,
    ),
    change: query(
      database,
      (value) => sql`update svc_schedules set cron_expression = ${value('cronExpression', 'string')},
        is_enabled = ${value('isEnabled', 'boolean')} where id = ${value('id', 'id')}`,
    ),
    noteRun: query(
      database,
      (value) => sql`update svc_schedules set last_run_at = ${value('at', 'datetime')},
        last_job_id = ${value('jobId', 'integer')} where id = ${value('id', 'id')}`,
    ),
  }
}
