import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { defineJob, type JobContext, type JobKind } from '../../background/jobs/jobs.ts'
import type { ChangeLog } from '../../entries/changes/changes.ts'
import type { LateAlert } from './late-alert.ts'
import type { PurgeState, PurgeStore } from './purge-store.ts'
import { emptyPurge, type Purge, type Tags } from './tags.ts'

export interface PurgeJobParts {
  readonly log: Pick<ChangeLog, 'after' | 'head' | 'cursorOf' | 'epoch'>
  readonly store: PurgeStore
  readonly tags: Tags
  /** @throws Error if the CDN refuses the purge */
  readonly send: (purge: Purge, position: string, signal: AbortSignal) => Promise<void>
  readonly secondPurgeMs: () => number
  readonly late: LateAlert
}

/** A stretch of the log. */
interface Stretch {
  readonly purge: Purge
  /** The state after the second purge of the stretch. */
  readonly end: Omit<PurgeState, 'asked'>
  /** The time of its first change; ISO 8601. */
  readonly since: string
}

/** A stretch that has been purged once. */
interface Pending extends Stretch {
  readonly dueAtMs: number
}

/** The maximum number of changes per purge. */
const maxChanges = 500
/** How often the log is read while second purges are pending. */
const lookEveryMs = 200
/** No further stretch is begun after this time, so that a job ends eventually. */
const readForMs = 60_000
const maxRetryDelayMs = 60_000

/**
 * Purges what has changed since the position in the state: immediately, and again after a while, since responses made before
 * the change may have reached the CDN after the first purge. The position is advanced after the second purge, so an
 * interrupted job repeats from there.
 */
export function createPurgeJob(parts: PurgeJobParts): JobKind<Record<string, never>> {
  return defineJob({
    name: 'cdn.purge',
    payload: Type.Object({}, { additionalProperties: false }),
    concurrency: 1,
    maxAttempts: 1_000_000,
    maxDeaths: 1_000_000,
    retryDelayMs: (attempts) => Math.min(maxRetryDelayMs, 1_000 * 2 ** Math.min(attempts - 1, 10)),
    run: (_, context) => new PurgeRun(parts, context).run(),
  }) as JobKind<Record<string, never>>
}

class PurgeRun {
  readonly #parts: PurgeJobParts
  readonly #context: JobContext
  readonly #pending: Pending[] = []
  readonly #readUntilMs = performance.now() + readForMs
  #stretches = 0

  constructor(parts: PurgeJobParts, context: JobContext) {
    this.#parts = parts
    this.#context = context
  }

  async run(): Promise<{ readonly stretches: number }> {
    const { signal } = this.#context
    const { store } = this.#parts
    let at: PurgeState = await store.state()
    for (;;) {
      signal.throwIfAborted()
      await this.#finishDue()
      const stretch = performance.now() < this.#readUntilMs ? await this.#next(at) : undefined
      if (stretch !== undefined) {
        await this.#begin(stretch)
        at = { ...at, ...stretch.end }
        continue
      }
      const [first] = this.#pending
      if (first === undefined) return { stretches: this.#stretches }
      const waitMs = Math.min(lookEveryMs, Math.max(1, first.dueAtMs - performance.now()))
      await pause(waitMs, undefined, { signal })
    }
  }

  /** Undefined if there is nothing more at present. */
  async #next(at: PurgeState): Promise<Stretch | undefined> {
    const { log, store, tags } = this.#parts
    const { asked } = await store.state()
    const { epoch } = log
    const page =
      at.epoch === epoch && asked === at.done ? await log.after(at.position, maxChanges) : undefined
    const purge = emptyPurge(page === undefined)
    if (page === undefined) {
      return {
        purge,
        end: { epoch, position: await log.head(), done: asked },
        since: new Date().toISOString(),
      }
    }
    const [first] = page.changes
    if (first === undefined) return undefined
    for (const change of page.changes) tags.addChange(change, purge)
    return { purge, end: { epoch, position: page.position, done: asked }, since: first.at }
  }

  async #begin(stretch: Stretch): Promise<void> {
    await this.#send(stretch)
    const { everything, hard, soft } = stretch.purge
    const isEmpty = !everything && hard.tags.size + soft.tags.size === 0
    this.#pending.push({
      ...stretch,
      dueAtMs: performance.now() + (isEmpty ? 0 : this.#parts.secondPurgeMs()),
    })
  }

  async #finishDue(): Promise<void> {
    for (;;) {
      const [first] = this.#pending
      if (first === undefined || first.dueAtMs > performance.now()) return
      await this.#send(first)
      await this.#parts.store.move(first.end)
      this.#pending.shift()
      this.#stretches += 1
    }
  }

  async #send({ purge, end, since }: Stretch): Promise<void> {
    const { log, late, send } = this.#parts
    try {
      await send(purge, log.cursorOf(end.position), this.#context.signal)
    } catch (error) {
      if (!this.#context.signal.aborted) await late.failed(since, error)
      throw error
    }
    await late.succeeded()
  }
}
