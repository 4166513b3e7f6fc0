import { afterEach } from 'node:test'
import type { ColumnSpec, SchemaChange, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import {
  previewSync,
  synchronize,
  syncOnDemand,
} from '../../core-plugins/foundation/database/sync/synchronize.ts'
import type { DatabaseUnderTest } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

export const id: ColumnSpec = { name: 'id', kind: 'id' }

export const title: ColumnSpec = { name: 'title', kind: 'string', length: 100, nullable: true }

export const articles = (columns: readonly ColumnSpec[], more: Partial<TableSpec> = {}): TableSpec => ({
  name: 'articles',
  columns: [id, ...columns],
  ...more,
})

export const authors: TableSpec = { name: 'authors', columns: [id, { name: 'name', kind: 'string' }] }

/** A change in a few words. */
export const words = ({ change, table, column, safe }: SchemaChange) =>
  `${safe ? 'safe' : 'blocked'} ${change} ${table}${column === null ? '' : `.${column}`}`

/** Syncs of databases that are removed after each test. To be called within a `describe` block. */
export function createSyncWorld(database: DatabaseUnderTest) {
  const closers: (() => Promise<void>)[] = []

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  return {
    /** A database with these tables. */
    async open(tables: readonly TableSpec[]): Promise<Driver> {
      const opened = await openTestDatabase(database, tables)
      closers.push(opened.close)
      return opened.driver
    },
    /** What a start with these tables does, in words. */
    async sync(driver: Driver, tables: readonly TableSpec[]) {
      driver.useTables(tables)
      const { applied, blocked } = await synchronize(driver, tables)
      return { applied: applied.map(words), blocked: blocked.map(words) }
    },
    /** Syncs on demand, whatever is lost. */
    async force(driver: Driver, tables: readonly TableSpec[]) {
      const { applied, blocked } = await syncOnDemand(driver, tables, { mayLose: () => true })
      return { applied, blocked: blocked.map(words) }
    },
    preview: async (driver: Driver, tables: readonly TableSpec[]) =>
      (await previewSync(driver, tables)).map(words),
    /** Is called after the test, what came last first. */
    atEnd: (close: () => Promise<void>) => void closers.push(close),
  }
}
