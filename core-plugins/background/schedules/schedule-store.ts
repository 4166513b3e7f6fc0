import { sql } from 'drizzle-orm'
import type { Database, Queries } from '../../foundation/database/database.ts'
import { type ScheduleRow, schedulesTable } from './tables.ts'

/** The rows of contributed schedules. */
export interface ScheduleStore {
  all(names: readonly string[]): Promise<ScheduleRow[]>
  /** Creates the row of a schedule if it has none yet. */
  ensure(name: string): Promise<void>
  /** Sets when it is next due; false if another process has done so since `row` was read. */
  advance(row: ScheduleRow, nextRunAt: string | null, on?: Queries): Promise<boolean>
  /** Plans the schedule by its current settings, unless that is already done. */
  plan(id: number, plannedBy: string, nextRunAt: string | null, on?: Queries): Promise<void>
  change(id: number, change: Pick<ScheduleRow, 'cronExpression' | 'isEnabled'>, on: Queries): Promise<void>
  noteRun(id: number, run: { at: string; jobId: number }, on: Queries): Promise<void>
}

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
      await queries.noteRun.run({ id, lastRunAt: at, lastJobId: jobId }, on)
    },
  }
}

function scheduleQueries(database: Database) {
  const schedules = schedulesTable.on(database)
  const { id, name, nextRunAt, plannedBy } = schedulesTable.columns
  return {
    all: schedules.find((_, inList) => inList(name, 'names'), { orderBy: sql`${name}` }),
    ensure: schedules.insert({ columns: ['name'], ignoreDuplicates: true }),
    advance: schedules.update(
      ['nextRunAt'],
      (value) => sql`${id} = ${value(id)} and ${nextRunAt} = ${value(nextRunAt, 'seen')}`,
    ),
    plan: schedules.update(
      ['nextRunAt', 'plannedBy'],
      (value) => sql`${id} = ${value(id)} and (${plannedBy} is null or ${plannedBy} <> ${value(plannedBy)})`,
    ),
    change: schedules.update(['cronExpression', 'isEnabled'], ['id']),
    noteRun: schedules.update(['lastRunAt', 'lastJobId'], ['id']),
  }
}
