import { sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../foundation/database/database.ts'
import type { ApplyResult } from '../apply-result.ts'
import { type PackageRow, packagesTable } from '../tables.ts'

/** Remembers which packages were applied here. */
export interface PackageStore {
  find(id: string, on?: Queries): Promise<PackageRow | undefined>
  /** Runs in the transaction that applies the package. */
  finish(
    applied: { readonly id: string; readonly peer: string; readonly result: ApplyResult },
    tx: Transaction,
  ): Promise<void>
}

/** How long the result of a package is kept. */
const keptForMs = 30 * 24 * 60 * 60_000

export function createPackageStore(database: Database): PackageStore {
  const rows = packagesTable.on(database)
  const { appliedAt } = packagesTable.columns
  const find = rows.find(['id'])
  const insert = rows.insert()
  const prune = rows.delete((value) => sql`${appliedAt} < ${value(appliedAt, 'until')}`)
  return {
    find: (id, on) => find.get({ id }, on),
    async finish({ id, peer, result }, tx) {
      await prune.run({ until: new Date(Date.now() - keptForMs).toISOString() }, tx)
      await insert.run({ id, peer, result, appliedAt: result.appliedAt }, tx)
    },
  }
}
