import { type Log, orElse } from '../../../../kernel/index.ts'
import { DatabaseError } from '../database-error.ts'
import type { Driver } from '../driver.ts'
import { type GivenName, type GivenNames, givenNamesReader, lookEveryMs } from '../sync/given-names.ts'
import {
  hashOf,
  readState,
  type SchemaState,
  type SchemaVersion,
  versionReader,
} from '../sync/schema-state.ts'
import type { TableSpec } from '../tables/table-spec.ts'

export interface VersionGuardOptions {
  readonly driver: Driver
  readonly log: Log
  /** Called when this process, or another one with the same tables, has synced them. */
  readonly onSynced: (state: SchemaState) => Promise<void>
}

interface Declared {
  readonly hash: string
  /** The names of all columns of all tables. */
  readonly columns: ReadonlySet<string>
}

/**
 * Notices changes that other processes make to the tables while this one runs. If a later version has given the name
 * of a column to another attribute, or a column is being dropped or converted with a loss, a process that uses it
 * stops using the database: it would otherwise read and write the values of something else.
 */
export class VersionGuard {
  readonly #options: VersionGuardOptions
  readonly #readNames: () => Promise<readonly GivenNames[]>
  readonly #readVersion: () => Promise<SchemaVersion | undefined>
  #declared: Declared | undefined
  /** Announcements made before this process synced its tables do not concern it. */
  #known: ReadonlySet<string> = new Set()
  #seen: SchemaVersion | undefined
  #changedAt = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #refusal: DatabaseError | undefined

  constructor(options: VersionGuardOptions) {
    this.#options = options
    this.#readNames = givenNamesReader(options.driver)
    this.#readVersion = versionReader(options.driver)
  }

  /** Guards the columns of `declared` from now on; to be called before they are synced. */
  async begin(declared: readonly TableSpec[]): Promise<void> {
    this.#known = new Set((await this.#readNames()).map(({ id }) => id))
    this.#declared = { hash: hashOf(declared), columns: new Set(declared.flatMap(columnsOf)) }
  }

  /** Whether a query may be sent without asking `confirm`. */
  get isSure(): boolean {
    return (
      this.#declared === undefined ||
      (this.#refusal === undefined && performance.now() - this.#lookedAt < lookEveryMs)
    )
  }

  /**
   * Checks for announcements of other processes.
   * @throws DatabaseError of kind `outdated`
   */
  async confirm(): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  /**
   * Replaces the error of a query if it failed because another process has changed the tables.
   * @throws the error
   */
  readonly explain = async (error: unknown): Promise<never> => {
    const own = this.#declared
    if (own === undefined || !(error instanceof DatabaseError) || error.kind !== 'unfit') throw error
    await this.confirm()
    if (this.#seen !== undefined && this.#seen.hash !== own.hash) {
      const message = 'a query does not fit the tables of the later version that was started'
      throw new DatabaseError('outdated', message, { cause: error })
    }
    if (performance.now() - this.#changedAt < lookEveryMs) {
      throw new DatabaseError('altered', 'the tables have changed since the query was written', {
        cause: error,
      })
    }
    throw error
  }

  async #look(): Promise<void> {
    const startedAt = performance.now()
    const own = this.#declared
    if (own === undefined) return
    await this.#assertNoneLost(own)
    const version = await this.#readVersion()
    if (version !== undefined && !isSame(version, this.#seen)) await this.#noteChange(own)
    this.#seen = version
    this.#lookedAt = startedAt
  }

  async #assertNoneLost(own: Declared): Promise<void> {
    const given = (await this.#readNames()).filter(
      ({ id, hash }) => hash !== own.hash && !this.#known.has(id),
    )
    const [lost] = given.flatMap(({ names }) => names).filter((name) => own.columns.has(keyOf(name)))
    if (lost === undefined) return
    this.#refusal = new DatabaseError(
      'outdated',
      `the column ${lost.column} of ${lost.table} was dropped, converted or given to another attribute by a later version of the schema files`,
    )
    this.#options.log.error(
      { ...lost },
      'this process answers 503 from now on, as a later version has given the name of a column to another attribute, dropped it or ' +
        'converted it with a loss; stop it',
    )
    throw this.#refusal
  }

  /** The tables were synced, by this process or by another one. */
  async #noteChange(own: Declared): Promise<void> {
    const { driver, onSynced } = this.#options
    if (this.#seen !== undefined) this.#changedAt = performance.now()
    const state = await readState(driver, driver.schema)
    if (state?.hash === own.hash) await onSynced(state)
  }
}

const isSame = (one: SchemaVersion, other: SchemaVersion | undefined) =>
  one.hash === other?.hash && one.appliedAt === other.appliedAt

const keyOf = ({ table, column }: GivenName) => `${table}.${column}`

function columnsOf({ name, columns }: TableSpec): string[] {
  return columns.map((column) => keyOf({ table: name, column: column.name }))
}

/** The database, checked with `guard` before each use. */
export function guardedDriver(driver: Driver, guard: VersionGuard): Driver {
  const { dialect, schema, snapshotSource, notifications, tightLimits } = driver
  const explained = <T>(query: () => T | Promise<T>) => orElse(query, guard.explain)
  function guarded<T>(query: () => T | Promise<T>): T | Promise<T> {
    return guard.isSure ? explained(query) : guard.confirm().then(() => explained(query))
  }
  return {
    ...{ dialect, schema, snapshotSource },
    ...(notifications === undefined ? {} : { notifications }),
    ...(tightLimits === undefined ? {} : { tightLimits }),
    prepare: (query, columns, options) => driver.prepare(query, columns, options),
    all: (statement, values, recipient) => guarded(() => driver.all(statement, values, recipient)),
    get: (statement, values, recipient) => guarded(() => driver.get(statement, values, recipient)),
    run: (statement, values) => guarded(() => driver.run(statement, values)),
    transaction: async (work, kind) => guarded(() => driver.transaction(work, kind)),
    ping: () => driver.ping(),
    load: () => driver.load(),
    tableCount: () => driver.tableCount(),
    useTables: (tables) => driver.useTables(tables),
    close: () => driver.close(),
  }
}
