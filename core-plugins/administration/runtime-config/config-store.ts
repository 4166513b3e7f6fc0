import { sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../foundation/database/database.ts'
import { configStateTable, configTable } from './tables.ts'

/** Stored values by key. */
export type StoredValues = ReadonlyMap<string, unknown>

export interface NewValue {
  readonly key: string
  readonly value: unknown
  readonly updatedBy: string | null
}

/** The rows of `svc_config`, and the epoch, a number that shows whether they have changed. */
export interface ConfigStore {
  /** Creates the row of the epoch, if it does not exist. */
  prepare(): Promise<void>
  /** Undefined until `prepare` has been called by some process. */
  readEpoch(): Promise<number | undefined>
  read(queries?: Queries): Promise<StoredValues>
  /** Increments the epoch. Other writers wait until the transaction has ended. */
  begin(tx: Transaction): Promise<void>
  /** After `begin`. */
  insert(value: NewValue, tx: Transaction): Promise<void>
  /** After `begin`. */
  update(value: NewValue, tx: Transaction): Promise<void>
  /** After `begin`. */
  remove(key: string, tx: Transaction): Promise<void>
}

const topic = 'settings'

export function createConfigStore(database: Database): ConfigStore {
  const queries = configQueries(database)
  const now = () => new Date().toISOString()
  return {
    async prepare() {
      if ((await queries.epoch.get({ topic })) === undefined) await queries.makeEpoch.run({ topic, epoch: 0 })
    },
    async readEpoch() {
      return (await queries.epoch.get({ topic }))?.epoch
    },
    async read(on = database) {
      const rows = await queries.all.all({}, on)
      return new Map(rows.map(({ key, value }) => [key, value]))
    },
    async begin(tx) {
      await queries.countUp.run({ topic }, tx)
    },
    async insert(value, tx) {
      await queries.insert.run({ ...value, updatedAt: now() }, tx)
    },
    async update(value, tx) {
      await queries.update.run({ ...value, updatedAt: now() }, tx)
    },
    async remove(key, tx) {
      await queries.remove.run({ key }, tx)
    },
  }
}

function configQueries(database: Database) {
  const config = configTable.on(database)
  const state = configStateTable.on(database)
  const { epoch } = configStateTable.columns
  return {
    all: config.find([], { orderBy: sql`${configTable.columns.key}` }),
    insert: config.insert(),
    update: config.update(['value', 'updatedAt', 'updatedBy'], ['key']),
    remove: config.delete(['key']),
    epoch: state.find(['topic']),
    makeEpoch: state.insert({ ignoreDuplicates: true }),
    countUp: state.update(() => sql`${epoch} = ${epoch} + 1`, ['topic']),
  }
}
