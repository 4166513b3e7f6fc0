import type { Driver } from './driver.ts'
import { hashOf, knownReader, versionReader } from './sync/schema-state.ts'
import type { TableSpec } from './table-spec.ts'

/** Says whether a sync knew a table. */
type Knows = (table: string) => boolean

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
  #knewBefore: Knows | undefined

  constructor(driver: Driver) {
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

  /** Whether it is known to the last sync until now, which may be that of another process. */
  async knows(table: string): Promise<boolean> {
    return (await this.#read())?.(table) ?? true
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
