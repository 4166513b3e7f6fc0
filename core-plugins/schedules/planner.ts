import type { Database, Transaction } from '../database/database.ts'
import { AppError, type ErrorDetail, expectValid } from '../http/http.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { cronProblems, nextRun } from './cron.ts'
import type { ScheduleRow, ScheduleStore } from './schedule-store.ts'
import type { Schedule, ScheduleChange, ScheduleState } from './schedules.ts'

/** All schedules: what they are now, what is due, and what an administrator does with them. */
export interface Planner {
  list(): Promise<ScheduleState[]>
  /** @throws AppError 404 */
  find(id: number): Promise<ScheduleState>
  findByName(name: string): Promise<ScheduleState>
  /** What is wrong with a change. @throws AppError 404 */
  judge(id: number, change: ScheduleChange): Promise<ErrorDetail[]>
  /** @throws AppError 404, 400 */
  change(id: number, change: ScheduleChange): Promise<ScheduleState>
  /** Makes its job now, whatever its times are; answers the job's id. @throws AppError 404 */
  run(id: number): Promise<number>
  /** Makes the rows, and works out when each schedule is due where its times have changed. */
  prepare(): Promise<void>
  /**
   * Makes the jobs of all that are due; one that was due several times while no process ran is due once. What was
   * planned by a clock that was set back since is planned anew. Answers when the next one is due, as far as is known
   * without asking again.
   */
  runDue(): Promise<string | undefined>
}

export interface PlannerOptions {
  readonly database: Database
  readonly jobs: Jobs
  readonly store: ScheduleStore
  /** Complete after boot; names differ. */
  readonly schedules: () => readonly Schedule[]
}

/** By so much the clocks of processes may differ before one of them would run again what another one has run. */
const clockToleranceMs = 60_000

export function createPlanner({ database, jobs, store, schedules }: PlannerOptions): Planner {
  let byName: ReadonlyMap<string, Schedule> | undefined

  function known(): ReadonlyMap<string, Schedule> {
    byName ??= new Map(schedules().map((schedule) => [schedule.name, schedule]))
    return byName
  }

  const names = () => [...known().keys()]

  function scheduleOf(row: ScheduleRow): Schedule {
    const schedule = known().get(row.name)
    if (schedule === undefined) throw AppError.notFound('scheduled job')
    return schedule
  }

  async function rowWith(matches: (row: ScheduleRow) => boolean): Promise<ScheduleRow> {
    const row = (await store.all(names())).find(matches)
    if (row === undefined) throw AppError.notFound('scheduled job')
    return row
  }

  const rowOf = (id: number) => rowWith((row) => row.id === id)

  async function present(rows: readonly ScheduleRow[]): Promise<ScheduleState[]> {
    const found = await jobs.findMany(rows.flatMap(({ lastJobId }) => lastJobId ?? []))
    const statuses = new Map(found.map(({ id, status }) => [id, status]))
    return rows.map((row) => ({
      ...timesOf(row, scheduleOf(row)),
      lastStatus: row.lastJobId === null ? null : (statuses.get(row.lastJobId) ?? null),
    }))
  }

  const presentOne = async (row: ScheduleRow) => (await present([row]))[0] as ScheduleState

  /** A key of its own keeps a slow run and the next one apart: while one is unfinished no other is made. */
  async function makeJob(row: ScheduleRow, at: string, tx: Transaction): Promise<number> {
    const { kind, payload } = scheduleOf(row)
    const jobId = await jobs.enqueue(tx, kind, payload, { key: `schedule:${row.name}` })
    await store.noteRun(row.id, { at, jobId }, tx)
    return jobId
  }

  /** Answers when it is due next, unless somebody else has planned it otherwise meanwhile. */
  async function runOnce(row: ScheduleRow): Promise<string | null> {
    const now = new Date()
    const { cronExpression, timezone } = timesOf(row, scheduleOf(row))
    const next = nextRun(cronExpression, timezone, now)
    await database.transaction(async (tx) => {
      const isOurs = await store.advance(row, next, tx)
      if (isOurs) await makeJob(row, now.toISOString(), tx)
    })
    return next
  }

  /** Answers when it is due; sooner than was planned, where no clock that is right plans so far ahead. */
  async function dueAt(row: ScheduleRow, plannedAt: string): Promise<string> {
    const { cronExpression, timezone } = timesOf(row, scheduleOf(row))
    const nowMs = Date.now()
    const latest = nextRun(cronExpression, timezone, new Date(nowMs + clockToleranceMs))
    if (latest === null || plannedAt <= latest) return plannedAt
    const next = nextRun(cronExpression, timezone, new Date(nowMs)) ?? latest
    await store.advance(row, next)
    return next
  }

  return {
    list: async () => present(await store.all(names())),
    find: async (id) => presentOne(await rowOf(id)),
    findByName: async (name) => presentOne(await rowWith((row) => row.name === name)),
    judge: async (id, { cronExpression }) => problemsOf(scheduleOf(await rowOf(id)), cronExpression),
    async change(id, change) {
      const row = await rowOf(id)
      const schedule = scheduleOf(row)
      const cronExpression = change.cronExpression ?? row.cronExpression
      const isEnabled = change.enabled ?? row.isEnabled
      expectValid(problemsOf(schedule, cronExpression))
      await database.transaction(async (tx) => {
        await store.change(id, { cronExpression, isEnabled }, tx)
        await plan({ ...row, cronExpression, isEnabled }, schedule, store, tx)
      })
      return presentOne(await rowOf(id))
    },
    async run(id) {
      const row = await rowOf(id)
      return database.transaction((tx) => makeJob(row, new Date().toISOString(), tx))
    },
    async prepare() {
      for (const name of names()) await store.ensure(name)
      for (const row of await store.all(names())) await plan(row, scheduleOf(row), store)
    },
    async runDue() {
      const now = new Date().toISOString()
      const upcoming: string[] = []
      for (const row of await store.all(names())) {
        if (row.nextRunAt === null) continue
        const next = row.nextRunAt <= now ? await runOnce(row) : await dueAt(row, row.nextRunAt)
        if (next !== null) upcoming.push(next)
      }
      return upcoming.sort()[0]
    },
  }
}

const timezoneOf = ({ timezone = 'UTC' }: Schedule) => timezone

function timesOf(row: ScheduleRow, schedule: Schedule): Omit<ScheduleState, 'lastStatus'> {
  const { id, name, lastRunAt, nextRunAt } = row
  return {
    id,
    name,
    cronExpression: row.cronExpression ?? schedule.cronExpression,
    timezone: timezoneOf(schedule),
    enabled: row.isEnabled ?? schedule.enabled ?? true,
    lastRunAt,
    nextRunAt,
  }
}

/** Works out when it is due next, unless that was done for the same times; so a tick that was missed stays due. */
async function plan(row: ScheduleRow, schedule: Schedule, store: ScheduleStore, on?: Transaction) {
  const { cronExpression, timezone, enabled } = timesOf(row, schedule)
  const next = enabled ? nextRun(cronExpression, timezone, new Date()) : null
  await store.plan(row.id, `${enabled ? 'on' : 'off'} ${timezone} ${cronExpression}`, next, on)
}

function problemsOf(schedule: Schedule, cronExpression: string | null | undefined): ErrorDetail[] {
  if (cronExpression === null || cronExpression === undefined) return []
  return cronProblems('cronExpression', cronExpression, timezoneOf(schedule))
}
