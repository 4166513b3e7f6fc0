import { type Log, type Repetition, repeat } from '../../../../kernel/index.ts'
import type { Driver } from '../driver.ts'
import { hashOf, knownReader, versionReader } from '../sync/schema-state.ts'
import type { TableSpec } from '../tables/table-spec.ts'

/** Says whether a sync knew a table. */
type Knows = (table: string) => boolean

interface Watcher {
  readonly table: string
  readonly tell: (isKnown: boolean) => Promise<void>
}

const lookEveryMs = 5_000

const all: Knows = () => true
const none: Knows = () => false

/**
 * Which tables were known to the process that synced last. A process of an earlier version, or with a plugin switched
 * off, leaves tables that it does not know unchanged and writes nothing into them.
 */
export class LastSync {
  readonly #readVersion: ReturnType<typeof versionReader>
  readonly #readKnown: ReturnType<typeof knownReader>
  #own = ''
  readonly #log: Log
  readonly #watchers = new Set<Watcher>()
  #looking: Repetition | undefined
  #knewBefore: Knows | undefined

  constructor(driver: Driver, log: Log) {
    this.#log = log
    this.#readVersion = versionReader(driver)
    this.#readKnown = knownReader(driver)
  }

  /** To be called at the start, before the tables are synced. */
  async begin(declared: readonly TableSpec[]): Promise<void> {
    this.#own = hashOf(declared)
    this.#knewBefore = await this.#read()
  }

  /** Whether the last sync before this start knew a table that this process declares; undefined if there was none. */
  knewBefore(table: string): boolean | undefined {
    return this.#knewBefore?.(table)
  }

  /** Checks every few seconds, once for all watchers. */
  watch(table: string, tell: (isKnown: boolean) => Promise<void>): { stop(): Promise<void> } {
    const watcher = { table, tell }
    this.#watchers.add(watcher)
    this.#looking ??= repeat(() => this.#look(), {
      everyMs: lookEveryMs,
      onError: (error) =>
        this.#log.warn({ err: error }, 'whether everybody keeps step cannot be told; trying again'),
    })
    return {
      stop: async () => {
        this.#watchers.delete(watcher)
        if (this.#watchers.size > 0) return
        await this.#looking?.stop()
        this.#looking = undefined
      },
    }
  }

  async #look(): Promise<void> {
    const knows = (await this.#read()) ?? all
    // If one watcher fails, the others are still notified.
    const told = await Promise.allSettled([...this.#watchers].map(({ table, tell }) => tell(knows(table))))
    const failed = told.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  async #read(): Promise<Knows | undefined> {
    const last = await this.#readVersion()
    if (last === undefined) return undefined
    if (last.hash === this.#own) return all
    const known = await this.#readKnown()
    // Not written yet: so far only versions that do not write it have synced.
    if (known === undefined) return all
    if (known.hash !== last.hash) return none
    const names = new Set(known.names)
    return (table) => names.has(table)
  }
}
