import { createConnection, type FieldPacket } from 'mysql2/promise'
import { type CopiedRows, type Copy, quoted } from './copied-rows.ts'

export async function openMysqlCopy(from: string, to: string): Promise<Copy> {
  const options = { dateStrings: true, jsonStrings: true, timezone: 'Z' } as const
  const source = await createConnection({ ...options, uri: from })
  const target = await createConnection({ ...options, uri: to })
  return {
    async read(tables, first, last) {
      const batch: CopiedRows[] = []
      for (const { name, rowsOf } of tables) {
        const sql = `select * from ${name} where ${rowsOf(first, last)}`
        const [rows, fields] = await source.query({ sql, rowsAsArray: true })
        const columns = (fields as FieldPacket[]).map((field) => field.name)
        batch.push({ table: name, columns, rows: rows as unknown[][] })
      }
      return batch
    },
    async insert(batch) {
      await target.beginTransaction()
      for (const { table, columns, rows } of batch) {
        const names = columns.map((name) => quoted(name, 'mysql')).join()
        if (rows.length > 0) await target.query(`insert into ${table} (${names}) values ?`, [rows])
      }
      await target.commit()
    },
    async close() {
      await source.end()
      await target.end()
    },
  }
}
