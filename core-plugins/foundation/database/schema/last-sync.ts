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
 * Which tables whoever synced last knew: a process of an earlier version, and one of which a plugin is off, leaves the tables that
 * it does not know as they are, and writes nothing into them.
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

  /** Whether a table, which this process declares, was known to the last sync before this start; undefined if there was none. */
  knewBefore(table: string): boolean | undefined {
    return this.#knewBefore?.(table)
  }

  /** Looks every few seconds, once for all who ask. */
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
    // One that fails keeps none of the others from being told.
    const told = await Promise.allSettled([...this.#watchers].map(({ table, tell }) => tell(knows(table))))
    const failed = told.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  async #read(): Promise<Knows | undefined> {
    const last = await this.#readVersion()
    if (last === undefined) return undefined
    if (last.hash === this.#own) return all
    const known = await this.#readKnown()
    // Written by nobody: so far there were only versions that do not.
    if (known === undefined) return all
    if (known.hash !== last.hash) return none
    const names = new Set(known.names)
    return (table) => names.has(table)
  }
}
