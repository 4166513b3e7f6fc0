import { sql } from 'drizzle-orm'
import type { Driver } from './driver.ts'
import { column } from './tables/column.ts'
import { defineTable } from './tables/define-table.ts'

/** A row is written and deleted again to find out whether there is disk space. */
export const probesTable = defineTable('svc_storage_probes', { id: column.id(), filling: column.text() })

/** More than fits into already allocated pages. */
const filling = '.'.repeat(64 * 1024)

/** @throws DatabaseError of kind `full` if there is no space */
export async function probeStorage(driver: Driver): Promise<void> {
  const insert = driver.prepare(
    sql`insert into ${probesTable} (${probesTable.columns.filling}) values (${filling})`,
  )
  const remove = driver.prepare(sql`delete from ${probesTable}`)
  await driver.transaction(async (tx) => tx.run(insert))
  await driver.transaction(async (tx) => tx.run(remove))
}
