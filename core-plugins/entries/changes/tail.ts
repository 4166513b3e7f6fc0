import { type Awaitable, isPromise, type Log } from '../../../kernel/index.ts'
import type { ChangeStore } from './change-store.ts'
import { maxLook } from './change-store.ts'
import { type Change, type ChangeTail, ringSize } from './changes.ts'

export interface TailParts {
  readonly store: Pick<ChangeStore, 'look' | 'newestPosition'>
  /** Called if changes have had no position for too long: the process that was to number them may be dead. */
  readonly onUnnumbered: () => void
  readonly log: Log
}

/** From this share of the maximum age on, the next check runs in the background. */
const earlyShare = 0.4

/** Stands for all changes if there are too many to apply one by one. */
const everything: Change = {
  ...{ uid: '', position: undefined, type: undefined, entryId: undefined, kind: 'reset', locale: undefined },
  ...{ wasPublic: false, isPublic: false, fields: undefined, before: undefined, after: undefined },
  ...{ origin: undefined, at: '' },
}

/** See `ChangeTail`. */
export class Tail implements ChangeTail {
  readonly #parts: TailParts
  readonly #ring: (Change | undefined)[] = new Array(ringSize).fill(undefined)
  readonly #generations = new Map<string, number>()
  readonly #generationsOfTypes = new Map<string, number>()
  readonly #listeners = new Set<(changes: readonly Change[]) => void>()
  #generationOfAll = 0
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  generation = 0
  position = 0
  checkedAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: TailParts) {
    this.#parts = parts
  }

  /** Starts after the newest change; answers kept before the start are not covered. */
  async start(): Promise<void> {
    this.position = await this.#parts.store.newestPosition()
    await this.check()
  }

  /** Applies changes that this process has committed. */
  applyOwn(changes: readonly Change[]): void {
    this.#apply(changes)
  }

  generationOf(type: string): number {
    return Math.max(this.#generationsOfTypes.get(type) ?? 0, this.#generationOfAll)
  }

  at(generation: number): Change | undefined {
    const isKept = generation > this.generation - ringSize && generation <= this.generation
    return isKept ? this.#ring[generation % ringSize] : undefined
  }

  knows(uid: string): boolean {
    return this.#generations.has(uid)
  }

  onApplied(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * A caller during a check waits for the next one, which all such callers share: the current one may have begun before the
   * changes that the caller needs were committed.
   */
  check(): Awaitable<void> {
    if (this.#running === undefined) return this.#look()
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.#look()
      })
    return this.#next
  }

  freshen(maxAgeMs: number): Awaitable<void> | undefined {
    const ageMs = performance.now() - this.checkedAtMs
    if (ageMs <= maxAgeMs * earlyShare) return undefined
    if (ageMs > maxAgeMs) return this.#lookFor(maxAgeMs)
    // A failure has no effect until the last check gets too old, when callers wait for a check themselves.
    if (this.#running === undefined) this.#lookBeside()
    return undefined
  }

  /** A running check may have begun too long ago, for example before the process was suspended. */
  #lookFor(maxAgeMs: number): Awaitable<void> | undefined {
    return this.#running === undefined ? this.check() : this.#running.then(() => this.freshen(maxAgeMs))
  }

  #lookBeside(): void {
    const looked = this.check()
    if (isPromise(looked)) looked.catch(() => undefined)
  }

  #look(): Awaitable<void> {
    const startedAtMs = performance.now()
    const found = this.#parts.store.look(this.position)
    if (!isPromise(found)) return this.#take(found, startedAtMs)
    this.#running = found
      .then((changes) => this.#take(changes, startedAtMs))
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  #take(found: readonly Change[], startedAtMs: number): Awaitable<void> {
    if (found.some(({ position }) => position === undefined)) this.#parts.onUnnumbered()
    if (found.length === maxLook) return this.#skip(startedAtMs)
    this.#apply(found)
    this.checkedAtMs = startedAtMs
  }

  /** Too much has changed to test kept answers change by change, so all of them are dropped. */
  async #skip(startedAtMs: number): Promise<void> {
    this.position = await this.#parts.store.newestPosition()
    this.#apply([everything])
    this.checkedAtMs = startedAtMs
  }

  #apply(changes: readonly Change[]): void {
    const fresh = changes.filter((change) => this.#isNew(change))
    for (const change of fresh) this.#add(change)
    if (fresh.length === 0) return
    for (const listen of this.#listeners) {
      try {
        listen(fresh)
      } catch (error) {
        this.#parts.log.error({ err: error }, 'what listens to changes failed')
      }
    }
  }

  #isNew({ uid, position }: Change): boolean {
    if (position !== undefined && position > this.position) this.position = position
    return uid === '' || !this.#generations.has(uid)
  }

  #add(change: Change): void {
    this.generation += 1
    const slot = this.generation % ringSize
    const dropped = this.#ring[slot]
    if (dropped !== undefined) this.#generations.delete(dropped.uid)
    this.#ring[slot] = change
    this.#generations.set(change.uid, this.generation)
    if (change.type === undefined) this.#generationOfAll = this.generation
    else this.#generationsOfTypes.set(change.type, this.generation)
  }
}
