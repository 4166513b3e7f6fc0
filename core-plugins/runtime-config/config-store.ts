import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  setList,
  type Transaction,
} from '../database/database.ts'

/** Stored values by key. */
export type StoredValues = ReadonlyMap<string, unknown>

export interface NewValue {
  readonly key: string
  readonly value: unknown
  readonly updatedBy: string | null
}

/** The rows of `svc_config`, and the number that tells whether they have changed. */
export interface ConfigStore {
  /** Makes the row of the epoch, if it is not there. */
  prepare(): Promise<void>
  /** Undefined while `prepare` has not been called by anybody. */
  readEpoch(): Promise<number | undefined>
  read(queries?: Queries): Promise<StoredValues>
  /** Counts the epoch up. Whoever else wants to change something waits until the transaction has ended. */
  begin(tx: Transaction): Promise<void>
  /** After `begin`. */
  insert(value: NewValue, tx: Transaction): Promise<void>
  /** After `begin`. */
  update(value: NewValue, tx: Transaction): Promise<void>
  /** After `begin`. */
  remove(key: string, tx: Transaction): Promise<void>
}

const columns = {
  key: { column: 'key', kind: 'string' },
  value: { column: 'value', kind: 'json' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
  updatedBy: { column: 'updated_by', kind: 'string' },
} as const satisfies Columns

const epochColumns = { epoch: { column: 'epoch', kind: 'integer' } } as const satisfies Columns

const topic = 'settings'

export function createConfigStore(database: Database): ConfigStore {
  const queries = configQueries(database)
  const now = () => new Date().toISOString()
  return {
    async prepare() {
      if ((await queries.epoch.get({ topic })) === undefined) await queries.makeEpoch.run({ topic })
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
  const table = sql`svc_config`
  const state = sql`svc_config_state`
  const keyColumn = sql.identifier('key')
  return {
    all: query<{ key: string; value: unknown }>(
      database,
      () => sql`select ${selectList(database, columns)} from ${table} order by ${keyColumn}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_config', columns, value)),
    update: query(
      database,
      (value) =>
        sql`update ${table} set ${setList(columns, value)} where ${keyColumn} = ${value('key', 'string')}`,
    ),
    remove: query(
      database,
      (value) => sql`delete from ${table} where ${keyColumn} = ${value('key', 'string')}`,
    ),
    epoch: query<{ epoch: number }>(
      database,
      (value) =>
        sql`select ${selectList(database, epochColumns)} from ${state} where topic = ${value('topic', 'string')}`,
      epochColumns,
    ),
    makeEpoch: query(
      database,
      (value) => sql`insert into ${state} (topic, epoch) values (${value('topic', 'string')}, 0)
        ${database.dialect.ignoreDuplicates('topic')}`,
    ),
    countUp: query(
      database,
      (value) => sql`update ${state} set epoch = epoch + 1 where topic = ${value('topic', 'string')}`,
    ),
  }
}
