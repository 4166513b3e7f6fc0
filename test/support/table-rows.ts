import { sql } from 'drizzle-orm'
import type { TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'

/** A row by column name. */
export type TableRow = Record<string, unknown>

/** Inserts a row, given by its columns, and returns its id. */
export async function insertRow(driver: Driver, table: TableSpec, row: TableRow): Promise<number> {
  const { dialect } = driver
  const specs = table.columns.filter(({ name }) => name in row)
  const names = specs.map(({ name }) => sql`${sql.identifier(name)}`)
  const values = specs.map(({ name, kind }) => dialect.placeholder(name, kind))
  const bound = Object.fromEntries(specs.map(({ name, kind }) => [name, dialect.bind(row[name], kind)]))
  const statement = driver.prepare(
    sql`insert into ${sql.identifier(table.name)} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`,
  )
  return (await driver.run(statement, bound)).insertId
}

/** All rows as application values, ordered by id. */
export async function selectRows(driver: Driver, table: TableSpec): Promise<TableRow[]> {
  const columns = table.columns.map(
    ({ name, kind }) =>
      sql`${driver.dialect.select(sql`${sql.identifier(name)}`, kind)} as ${sql.identifier(name)}`,
  )
  const kinds = Object.fromEntries(table.columns.map(({ name, kind }) => [name, kind]))
  const query = sql`select ${sql.join(columns, sql`, `)} from ${sql.identifier(table.name)} order by id`
  return driver.all(driver.prepare<TableRow>(query, kinds))
}
