import type { Log } from '../../kernel/index.ts'
import { DatabaseError } from './database-error.ts'
import type { Driver } from './driver.ts'
import { type GivenName, type GivenNames, givenNamesReader, lookEveryMs } from './sync/given-names.ts'
import { hashOf } from './sync/schema-state.ts'
import type { TableSpec } from './table-spec.ts'

/**
 * Ends the use of the database by a process of an earlier version, once a later one has given the name of a column that
 * it knows to another attribute: it would answer with the values of that one, and write into it.
 */
export class GivenNamesGuard {
  readonly #read: () => Promise<readonly GivenNames[]>
  readonly #log: Log
  readonly #onLook: () => Promise<void>
  #declared: { readonly hash: string; readonly columns: ReadonlySet<string> } | undefined
  /** Names given away before this process has synced its tables are known to it. */
  #known: ReadonlySet<string> = new Set()
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #refusal: DatabaseError | undefined

  /** `onLook` looks for what else other processes have changed. */
  constructor(driver: Driver, log: Log, onLook: () => Promise<void>) {
    this.#read = givenNamesReader(driver)
    this.#log = log
    this.#onLook = onLook
  }

  /** Guards the names of `declared` from now on; to be called before they are synced. */
  async begin(declared: readonly TableSpec[]): Promise<void> {
    this.#known = new Set((await this.#read()).map(({ id }) => id))
    this.#declared = { hash: hashOf(declared), columns: new Set(declared.flatMap(columnsOf)) }
  }

  /** Whether a query may be sent without asking `confirm`. */
  get isSure(): boolean {
    return (
      this.#declared === undefined ||
      (this.#refusal === undefined && performance.now() - this.#lookedAt < lookEveryMs)
    )
  }

  /** @throws DatabaseError of kind `outdated` */
  async confirm(): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  async #look(): Promise<void> {
    const startedAt = performance.now()
    const own = this.#declared
    const given = (await this.#read()).filter(({ id, hash }) => hash !== own?.hash && !this.#known.has(id))
    const [lost] = given.flatMap(({ names }) => names).filter((name) => own?.columns.has(keyOf(name)))
    if (lost === undefined) {
      await this.#onLook()
      this.#lookedAt = startedAt
      return
    }
    this.#refusal = new DatabaseError(
      'outdated',
      `the column ${lost.column} of ${lost.table} belongs to another attribute since a later version of the schema files was started`,
    )
    this.#log.error(
      { ...lost },
      'this process answers 503 from now on, as a later version has given the name of a column to another attribute; stop it',
    )
    throw this.#refusal
  }
}

const keyOf = ({ table, column }: GivenName) => `${table}.${column}`

function columnsOf({ name, columns }: TableSpec): string[] {
  return columns.map((column) => keyOf({ table: name, column: column.name }))
}

/** The database as it is used once `guard` has been asked. */
export function guardedDriver(driver: Driver, guard: GivenNamesGuard): Driver {
  const { dialect, schema, snapshotSource, notifications } = driver
  return {
    ...{ dialect, schema, snapshotSource },
    ...(notifications === undefined ? {} : { notifications }),
    prepare: (query, columns, options) => driver.prepare(query, columns, options),
    all(statement, values, recipient) {
      if (guard.isSure) return driver.all(statement, values, recipient)
      return guard.confirm().then(() => driver.all(statement, values, recipient))
    },
    get(statement, values, recipient) {
      if (guard.isSure) return driver.get(statement, values, recipient)
      return guard.confirm().then(() => driver.get(statement, values, recipient))
    },
    run(statement, values) {
      if (guard.isSure) return driver.run(statement, values)
      return guard.confirm().then(() => driver.run(statement, values))
    },
    async transaction(work, kind) {
      if (!guard.isSure) await guard.confirm()
      return driver.transaction(work, kind)
    },
    ping: () => driver.ping(),
    load: () => driver.load(),
    tableCount: () => driver.tableCount(),
    useTables: (tables) => driver.useTables(tables),
    close: () => driver.close(),
  }
}
