import { sql } from 'drizzle-orm'
import type { Values } from '../database.ts'
import { convertValue } from './conversion.ts'
import type { LiveTable, SchemaConnection } from './schema-store.ts'
import type { Step } from './step.ts'

type ConvertStep = Extract<Step, { change: 'convert-column' }>

const batchSize = 1_000

/**
 * Writes every value of a column anew in another kind, into a column beside it that then takes its place. Begins anew
 * where an earlier start was ended in the middle.
 */
export async function convertColumn(step: ConvertStep, connection: SchemaConnection): Promise<void> {
  const { table, column } = step
  const temporary = `${column.name.slice(0, 50)}__new`
  const added = { ...column, name: temporary, nullable: true }
  const change = async (steps: Step[]) => {
    const statements = connection.schemaDialect.statements(steps, await connection.introspect())
    for (const statement of statements) await connection.execute(statement)
  }
  const live = await tableNamed(table, connection)
  if (live.columns.has(temporary)) await change([{ change: 'drop-column', table, column: added }])
  await change([{ change: 'add-column', table, column: added }])
  await copyValues(step, temporary, live, connection)
  const filled = await tableNamed(table, connection)
  const replacing = connection.schemaDialect.replaceColumn(filled, column.name, temporary)
  for (const statement of replacing) await connection.execute(statement)
}

async function tableNamed(name: string, connection: SchemaConnection): Promise<LiveTable> {
  const table = (await connection.introspect()).get(name)
  if (table === undefined) throw new Error(`the table ${name} is not there`)
  return table
}

async function copyValues(
  { table, from, column }: ConvertStep,
  temporary: string,
  live: LiveTable,
  connection: SchemaConnection,
): Promise<void> {
  const { dialect } = connection
  const keys = keyColumns(live)
  const tableSql = sql.identifier(table)
  const selected = [...keys, column.name].map((name) => {
    const kind = name === column.name ? from.kind : keyKind
    return sql`${dialect.select(sql`${sql.identifier(name)}`, kind)} as ${sql.identifier(name)}`
  })
  const read = connection.prepare<Record<string, unknown>>(
    sql`select ${sql.join(selected, sql`, `)} from ${tableSql} where ${sql.identifier(column.name)} is not null
      order by ${sql.join(
        keys.map((key) => sql.identifier(key)),
        sql`, `,
      )}
      limit ${dialect.placeholder('limit', 'integer')} offset ${dialect.placeholder('offset', 'integer')}`,
    { [column.name]: from.kind },
  )
  const isRow = keys.map((key) => sql`${sql.identifier(key)} = ${sql.placeholder(`key ${key}`)}`)
  const write = connection.prepare(
    sql`update ${tableSql} set ${sql.identifier(temporary)} = ${dialect.placeholder('value', column.kind)}
      where ${sql.join(isRow, sql` and `)}`,
  )
  for (let offset = 0; ; offset += batchSize) {
    const rows = await connection.all(read, { limit: batchSize, offset })
    for (const row of rows) {
      const value = dialect.bind(convertValue(row[column.name], column), column.kind)
      await connection.run(write, { ...keyValues(row, keys), value })
    }
    if (rows.length < batchSize) return
  }
}

// Keys are ids, references and short strings, all of which read and bind as they are.
const keyKind = 'string'

function keyColumns({ name, primaryKey }: LiveTable): readonly string[] {
  if (primaryKey.length === 0) throw new Error(`the table ${name} has no primary key to convert its rows by`)
  return primaryKey
}

function keyValues(row: Record<string, unknown>, keys: readonly string[]): Values {
  return Object.fromEntries(keys.map((key) => [`key ${key}`, row[key]]))
}
