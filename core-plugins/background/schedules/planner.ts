import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, assertValid, type ErrorDetail } from '../../foundation/http/http.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { cronProblems, nextRun } from './cron.ts'
import type { ScheduleStore } from './schedule-store.ts'
import type { Schedule, ScheduleChange, ScheduleState } from './schedules.ts'
import type { ScheduleRow } from './tables.ts'

/** All schedules: their state, what is due, and the changes administrators make. */
export interface Planner {
  list(): Promise<ScheduleState[]>
  /** @throws AppError 404 */
  find(id: number): Promise<ScheduleState>
  findByName(name: string): Promise<ScheduleState>
  /** The problems of a change. @throws AppError 404 */
  problemsOf(id: number, change: ScheduleChange): Promise<ErrorDetail[]>
  /** @throws AppError 404, 400 */
  change(id: number, change: ScheduleChange): Promise<ScheduleState>
  /** Creates the schedule's job now, independent of its times; returns the job's id. @throws AppError 404 */
  run(id: number): Promise<number>
  /** Creates missing rows, and computes the next due time of each schedule whose times have changed. */
  prepare(): Promise<void>
  /**
   * Creates the jobs of all due schedules; one that was due several times while no process ran is due once. Times planned by a
   * clock that was set back since are planned again. Returns when the next schedule is due, as far as known without another
   * query.
   */
  runDue(): Promise<string | undefined>
}

export interface PlannerOptions {
  readonly database: Database
  readonly jobs: Jobs
  readonly store: ScheduleStore
  /** Complete after boot; names are unique. */
  readonly schedules: () => readonly Schedule[]
}

/** How far the clocks of processes may differ before one process repeats a run of another. */
const clockToleranceMs = 60_000

export function createPlanner(options: PlannerOptions): Planner {
  return new StoredPlanner(options)
}

/** Stores administrators' changes and due times in the rows of the store. */
class StoredPlanner implements Planner {
  readonly #options: PlannerOptions
  #byName: ReadonlyMap<string, Schedule> | undefined

  constructor(options: PlannerOptions) {
    this.#options = options
  }

  async list(): Promise<ScheduleState[]> {
    return this.#present(await this.#rows())
  }

  async find(id: number): Promise<ScheduleState> {
    return this.#presentOne(await this.#rowOf(id))
  }

  async findByName(name: string): Promise<ScheduleState> {
    return this.#presentOne(await this.#rowWith((row) => row.name === name))
  }

  async problemsOf(id: number, { cronExpression }: ScheduleChange): Promise<ErrorDetail[]> {
    return problemsOf(this.#scheduleOf(await this.#rowOf(id)), cronExpression)
  }

  async change(id: number, change: ScheduleChange): Promise<ScheduleState> {
    const { database, store } = this.#options
    const row = await this.#rowOf(id)
    const schedule = this.#scheduleOf(row)
    const cronExpression = change.cronExpression ?? row.cronExpression
    const isEnabled = change.enabled ?? row.isEnabled
    // A stored expression may violate a newer rule, and the schedule can be disabled nevertheless.
    assertValid(problemsOf(schedule, change.cronExpression))
    await database.transaction(async (tx) => {
      await store.change(id, { cronExpression, isEnabled }, tx)
      await plan({ ...row, cronExpression, isEnabled }, schedule, store, tx)
    })
    return this.#presentOne(await this.#rowOf(id))
  }

  async run(id: number): Promise<number> {
    const row = await this.#rowOf(id)
    return this.#options.database.transaction((tx) => this.#makeJob(row, new Date().toISOString(), tx))
  }

  async prepare(): Promise<void> {
    const { store } = this.#options
    for (const name of this.#known().keys()) await store.ensure(name)
    for (const row of await this.#rows()) await plan(row, this.#scheduleOf(row), store)
  }

  async runDue(): Promise<string | undefined> {
    const now = new Date().toISOString()
    const upcoming: string[] = []
    for (const row of await this.#rows()) {
      if (row.nextRunAt === null) continue
      const next = row.nextRunAt <= now ? await this.#runOnce(row) : await this.#dueAt(row, row.nextRunAt)
      if (next !== null) upcoming.push(next)
    }
    return upcoming.sort()[0]
  }

  #known(): ReadonlyMap<string, Schedule> {
    this.#byName ??= new Map(this.#options.schedules().map((schedule) => [schedule.name, schedule]))
    return this.#byName
  }

  #scheduleOf(row: ScheduleRow): Schedule {
    const schedule = this.#known().get(row.name)
    if (schedule === undefined) throw AppError.notFound('scheduled job')
    return schedule
  }

  #rows(): Promise<readonly ScheduleRow[]> {
    return this.#options.store.all([...this.#known().keys()])
  }

  async #rowWith(matches: (row: ScheduleRow) => boolean): Promise<ScheduleRow> {
    const row = (await this.#rows()).find(matches)
    if (row === undefined) throw AppError.notFound('scheduled job')
    return row
  }

  #rowOf(id: number): Promise<ScheduleRow> {
    return this.#rowWith((row) => row.id === id)
  }

  async #present(rows: readonly ScheduleRow[]): Promise<ScheduleState[]> {
    const found = await this.#options.jobs.findMany(rows.flatMap(({ lastJobId }) => lastJobId ?? []))
    const statuses = new Map(found.map(({ id, status }) => [id, status]))
    return rows.map((row) => ({
      ...timesOf(row, this.#scheduleOf(row)),
      lastStatus: row.lastJobId === null ? null : (statuses.get(row.lastJobId) ?? null),
    }))
  }

  async #presentOne(row: ScheduleRow): Promise<ScheduleState> {
    return (await this.#present([row]))[0] as ScheduleState
  }

  /** A key keeps a slow run and the next one apart: while one job is unfinished, no other is created. */
  async #makeJob(row: ScheduleRow, at: string, tx: Transaction): Promise<number> {
    const { jobs, store } = this.#options
    const { kind, payload } = this.#scheduleOf(row)
    const jobId = await jobs.enqueue(tx, kind, payload, { key: `schedule:${row.name}` })
    await store.noteRun(row.id, { at, jobId }, tx)
    return jobId
  }

  /** Returns when it is next due, unless another process has planned it differently in the meantime. */
  async #runOnce(row: ScheduleRow): Promise<string | null> {
    const { database, store } = this.#options
    const now = new Date()
    const { cronExpression, timezone } = timesOf(row, this.#scheduleOf(row))
    const next = nextRun(cronExpression, timezone, now)
    await database.transaction(async (tx) => {
      const isOurs = await store.advance(row, next, tx)
      if (isOurs) await this.#makeJob(row, now.toISOString(), tx)
    })
    return next
  }

  /** Returns when it is due; earlier than planned if no correct clock would plan that far ahead. */
  async #dueAt(row: ScheduleRow, plannedAt: string): Promise<string> {
    const { cronExpression, timezone } = timesOf(row, this.#scheduleOf(row))
    const nowMs = Date.now()
    const latest = nextRun(cronExpression, timezone, new Date(nowMs + clockToleranceMs))
    if (latest === null || plannedAt <= latest) return plannedAt
    const next = nextRun(cronExpression, timezone, new Date(nowMs)) ?? latest
    await this.#options.store.advance(row, next)
    return next
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

/** Computes when it is next due, unless that was done for the same times, so that a missed tick stays due. */
async function plan(row: ScheduleRow, schedule: Schedule, store: ScheduleStore, on?: Transaction) {
  const { cronExpression, timezone, enabled } = timesOf(row, schedule)
  const next = enabled ? nextRun(cronExpression, timezone, new Date()) : null
  await store.plan(row.id, `${enabled ? 'on' : 'off'} ${timezone} ${cronExpression}`, next, on)
}

function problemsOf(schedule: Schedule, cronExpression: string | null | undefined): ErrorDetail[] {
  if (cronExpression === null || cronExpression === undefined) return []
  return cronProblems('cronExpression', cronExpression, timezoneOf(schedule))
}
