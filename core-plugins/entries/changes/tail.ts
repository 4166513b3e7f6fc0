import { type Awaitable, isPromise, type Log } from '../../../kernel/index.ts'
import type { ChangeStore } from './change-store.ts'
import { maxLook } from './change-store.ts'
import { type Change, type ChangeTail, ringSize } from './changes.ts'

export interface TailParts {
  readonly store: Pick<ChangeStore, 'look' | 'newestPosition'>
  /** Changes without a position are older than they should be: whoever was to number them may be dead. */
  readonly onUnnumbered: () => void
  readonly log: Log
}

/** From this share of the bound on, the next look runs in the background. */
const earlyShare = 0.4

/** What is true of all types when more has changed than is looked through one by one. */
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

  /** Begins with the changes after the newest one; memory that is filled before is not watched over. */
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
   * Whoever calls while a look is under way waits for the next one, which all of them share: the present one may have
   * begun before what they ask about was committed.
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
    // A failure surfaces when memory gets too old to be used without a look.
    if (this.#running === undefined) this.#lookBeside()
    return undefined
  }

  /** A look that is under way may have begun too long ago: before the process was frozen, for example. */
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

  /** So much has changed that nothing that was kept is worth its test. */
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
