import { setTimeout as delay } from 'node:timers/promises'
import { createMailbox, type Log } from '../../../kernel/index.ts'
import { type Attempt, startAttempt } from './attempt.ts'
import type { Capacity } from './capacity.ts'
import type { ClaimedJob, Claims } from './claims.ts'
import type { Kinds } from './kinds.ts'
import type { Leases } from './leases.ts'
import type { Outcomes } from './outcomes.ts'

/** Runs jobs in this process. */
export interface Runner {
  /** Starts to claim jobs. */
  start(): void
  /** Claims jobs immediately, since there may be some. Does nothing before `start`. */
  wake(): void
  /** Resolves when this process has capacity for one more job of any kind. */
  hasRoom(): Promise<void>
  /** Claims jobs, and returns whether more are due than this process has capacity for. */
  look(): Promise<boolean>
  /** Asks a job running here to stop, sooner than it would notice through the database. */
  cancel(id: number): void
  /**
   * Stops claiming; what still runs after the grace period is asked to stop and released. Resolves when all
   * have ended.
   */
  stop(): Promise<void>
  /** Runs due jobs until none is due or running here. */
  drain(): Promise<void>
}

export interface RunnerOptions {
  readonly claims: Claims
  readonly outcomes: Outcomes
  readonly leases: Leases
  readonly capacity: Capacity
  readonly kinds: Kinds
  readonly pollIntervalMs: number
  readonly leaseMs: number
  readonly shutdownGraceMs: number
  /** Called after it was recorded that a job failed for good or was cancelled. Must not reject. */
  readonly onGivenUp: (id: number) => Promise<void>
  readonly log: Log
}

const maxPerClaim = 50
/**
 * The pause in milliseconds after a claim that found few jobs, so that work accumulates: claiming many jobs costs as much as
 * claiming one.
 */
const gatherMs = 10
const enoughPerClaim = 8
const longestTendIntervalMs = 1_000
/** A lease is renewed several times before it expires, so that one late renewal loses nothing. */
const looksPerLease = 4

export function createRunner(options: RunnerOptions): Runner {
  return new JobRunner(options)
}

class JobRunner implements Runner {
  readonly #options: RunnerOptions
  readonly #running = new Map<number, Attempt>()
  readonly #ends = new Set<Promise<void>>()
  readonly #claiming = createMailbox()
  #isStarted = false
  #isStopping = false
  #isLooking = false
  #isTending = false
  #looksAgain = false
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #lastClaimed = 0
  #nothingInARow = 0
  #pollTimer: NodeJS.Timeout | undefined
  #tendTimer: NodeJS.Timeout | undefined

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  start(): void {
    this.#isStarted = true
    const tendIntervalMs = Math.min(longestTendIntervalMs, this.#options.leaseMs / looksPerLease)
    this.#tendTimer = setInterval(() => void this.#tend(), tendIntervalMs)
    this.wake()
  }

  wake(): void {
    if (!this.#isStarted || this.#isStopping) return
    if (this.#isLooking) this.#looksAgain = true
    else void this.#look()
  }

  async hasRoom(): Promise<void> {
    while (this.#options.capacity.fullKinds().length > 0 && this.#ends.size > 0) {
      await Promise.race(this.#ends)
    }
  }

  async look(): Promise<boolean> {
    const moved = await this.#claimAndRun()
    if (moved === 0) this.wake()
    const full = this.#options.capacity.fullKinds()
    const nextRunAt = full.length === 0 ? undefined : await this.#options.claims.nextRunAt(full)
    return nextRunAt !== undefined && Date.parse(nextRunAt) <= Date.now()
  }

  cancel(id: number): void {
    this.#running.get(id)?.stop('cancelled')
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return this.#allEnded()
    this.#isStopping = true
    clearTimeout(this.#pollTimer)
    const grace = setTimeout(() => {
      for (const attempt of this.#running.values()) attempt.stop('shutdown')
    }, this.#options.shutdownGraceMs)
    await this.#allEnded()
    clearTimeout(grace)
    clearInterval(this.#tendTimer)
  }

  async drain(): Promise<void> {
    for (;;) {
      // A running job may have hidden others from this claim, and have ended since.
      const wasIdle = this.#isIdle()
      const moved = await this.#claimAndRun()
      if (moved === 0 && wasIdle && this.#isIdle()) return
      await (this.#ends.size > 0 ? Promise.race(this.#ends) : nextTurn())
    }
  }

  /** Claims as long as jobs are due; then sleeps until the next one is. */
  async #look(): Promise<void> {
    this.#isLooking = true
    clearTimeout(this.#pollTimer)
    let sleepMs = this.#options.pollIntervalMs
    try {
      do {
        await this.#gather()
        this.#looksAgain = false
        sleepMs = await this.#lookOnce()
      } while ((sleepMs === 0 || this.#looksAgain) && !this.#isStopping)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'failed to claim jobs; retrying')
      sleepMs = this.#options.pollIntervalMs
    }
    this.#isLooking = false
    if (!this.#isStopping) this.#pollTimer = setTimeout(() => this.wake(), sleepMs)
  }

  /** Lets work accumulate before the next claim, at least until the responses of the requests that created it are sent. */
  async #gather(): Promise<void> {
    const isWorthIt = this.#lastClaimed >= enoughPerClaim
    const restMs = isWorthIt ? 0 : this.#lookedAtMs + gatherMs - performance.now()
    await (restMs > 0 ? delay(restMs) : nextTurn())
    this.#lookedAtMs = performance.now()
  }

  /** Returns how long to sleep: not at all while there is more to claim. */
  async #lookOnce(): Promise<number> {
    const { claims, capacity, pollIntervalMs } = this.#options
    const names = capacity.openKinds()
    // Every job that ends wakes the runner, so a full one need not claim.
    if (names.length === 0) return pollIntervalMs
    const nextRunAt = await claims.nextRunAt(names)
    if (nextRunAt === undefined) return pollIntervalMs
    const dueInMs = Date.parse(nextRunAt) - Date.now()
    if (dueInMs > 0) return Math.min(dueInMs, pollIntervalMs)
    return (await this.#claimAndRun()) > 0 ? 0 : this.#restAfterNothing()
  }

  /**
   * Due jobs that could not be claimed were locked by another runner, which may have released them, or wait for a full lane:
   * tries again soon, then after growing pauses.
   */
  #restAfterNothing(): number {
    this.#nothingInARow += 1
    return Math.min(this.#options.pollIntervalMs, gatherMs * 2 ** this.#nothingInARow)
  }

  /** Runs one claim at a time, since each must know how much capacity the previous one used. */
  #claimAndRun(): Promise<number> {
    return this.#claiming.run(() => this.#claimNow())
  }

  /** Returns how many jobs it has claimed or held: there may be more behind them. */
  async #claimNow(): Promise<number> {
    const { claims, capacity } = this.#options
    const names = capacity.openKinds()
    const limit = Math.min(maxPerClaim, capacity.free())
    if (this.#isStopping || limit === 0) return 0
    const { jobs, held } = await claims.claim({
      names,
      limit,
      fullLanes: capacity.fullLanes(),
      mostDeaths: capacity.mostDeaths(),
      admission: () => {
        const hasRoom = capacity.admission()
        // A job whose lease was lost but that still runs here must end here first.
        return (job) => !this.#running.has(job.id) && hasRoom(job)
      },
    })
    for (const job of jobs) this.#run(job)
    this.#lastClaimed = jobs.length
    if (jobs.length > 0) this.#nothingInARow = 0
    return jobs.length + held
  }

  #run(job: ClaimedJob): void {
    const { kinds, capacity, log } = this.#options
    const kind = kinds.get(job.name)
    if (kind === undefined) throw new Error(`a job of the unknown kind ${job.name} was claimed`)
    capacity.occupy(job)
    const attempt = startAttempt(job, kind, kinds, log)
    this.#running.set(job.id, attempt)
    const end = this.#finish(attempt).finally(() => this.#ends.delete(end))
    this.#ends.add(end)
  }

  async #finish(attempt: Attempt): Promise<void> {
    const { outcomes, capacity, onGivenUp, log } = this.#options
    const { job } = attempt
    const outcome = await attempt.ended
    // Other jobs may start while this outcome is being written.
    capacity.vacate(job)
    this.wake()
    const isOurs = outcome !== undefined && (await outcomes.record(job, outcome))
    this.#running.delete(job.id)
    if (!isOurs) {
      log.warn({ job: job.id, kind: job.name }, 'a job ended after it had been given to somebody else')
    } else if (outcome.status === 'waiting') {
      const { error, runAt } = outcome
      log.info(
        { job: job.id, kind: job.name, attempt: job.attempts, error, runAt },
        'a job will be tried again',
      )
    } else if (outcome.status === 'failed' || outcome.status === 'cancelled') {
      await onGivenUp(job.id)
    }
  }

  async #tend(): Promise<void> {
    if (this.#running.size === 0 || this.#isTending) return
    this.#isTending = true
    try {
      await this.#options.leases.tend(this.#running)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the leases of running jobs could not be renewed; trying again')
    }
    this.#isTending = false
  }

  async #allEnded(): Promise<void> {
    while (!this.#isIdle()) {
      await Promise.all(this.#ends)
      await nextTurn()
    }
  }

  #isIdle(): boolean {
    return this.#ends.size === 0 && !this.#isLooking
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
