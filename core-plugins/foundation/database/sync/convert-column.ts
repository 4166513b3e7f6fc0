import { type SQL, sql } from 'drizzle-orm'
import type { Values } from '../statements/statement.ts'
import { portionsOf } from '../tables/portions.ts'
import { convertValue } from './conversion.ts'
import type { LiveTable } from './live-schema.ts'
import type { SyncProgress } from './progress.ts'
import type { SchemaConnection } from './schema-store.ts'
import type { Step, StepOf } from './step.ts'

type ConvertStep = StepOf<'convert-column'>

/** Rows per read: few, since a value may be large. */
const pageSize = 200

/**
 * Rewrites every value of a column in another kind: by SQL if that does exactly what `convertValue` does, otherwise
 * row by row into an additional column that then replaces it. Starts over if an earlier start was interrupted.
 */
export async function convertColumn(
  step: ConvertStep,
  connection: SchemaConnection,
  progress: SyncProgress,
): Promise<void> {
  const { inside, column } = step
  if (inside !== undefined) return rewriteColumn(step, inside.convert ?? asItIs, connection, progress)
  const live = await withoutRemains(step, connection)
  const statements = connection.schemaDialect.conversion(step, live)
  if (statements !== undefined) return execute(statements, connection)
  await convertRows(step, live, { convert: (value) => convertValue(value, column), connection, progress })
}

const asItIs = (value: unknown) => value

/** Rewrites every value of a column that keeps its kind, row by row. Starts over like `convertColumn`. */
export async function rewriteColumn(
  { table, column }: Pick<ConvertStep, 'table' | 'column'>,
  convert: (value: unknown) => unknown,
  connection: SchemaConnection,
  progress: SyncProgress,
): Promise<void> {
  const step: ConvertStep = { change: 'convert-column', table, from: column, column }
  await convertRows(step, await withoutRemains(step, connection), { convert, connection, progress })
}

/** The column that receives the new values. */
export function temporaryName(column: string): string {
  return `${column.slice(0, 50)}__new`
}

interface Conversion {
  /** Called with values that are not null. */
  readonly convert: (value: unknown) => unknown
  readonly connection: SchemaConnection
  readonly progress: SyncProgress
}

async function execute(statements: readonly string[], connection: SchemaConnection): Promise<void> {
  for (const statement of statements) await connection.execute(statement)
}

async function change(step: Step, connection: SchemaConnection): Promise<void> {
  await execute(connection.schemaDialect.statements([step], await connection.introspect()), connection)
}

async function withoutRemains({ table, column }: ConvertStep, connection: SchemaConnection) {
  const name = temporaryName(column.name)
  const live = await tableNamed(table, connection)
  if (!live.columns.has(name)) return live
  await change({ change: 'drop-column', table, column: { ...column, name } }, connection)
  return tableNamed(table, connection)
}

async function tableNamed(name: string, connection: SchemaConnection): Promise<LiveTable> {
  const table = (await connection.introspect()).get(name)
  if (table === undefined) throw new Error(`the table ${name} is not there`)
  return table
}

async function convertRows(
  step: ConvertStep,
  live: LiveTable,
  { convert, connection, progress }: Conversion,
) {
  const { table, column } = step
  // Otherwise concurrent writes to rows already converted would be lost.
  await execute(connection.schemaDialect.lock(table), connection)
  const temporary = temporaryName(column.name)
  await change(
    { change: 'add-column', table, column: { ...column, name: temporary, nullable: true } },
    connection,
  )
  const write = rowWriter(step, live, connection)
  for await (const rows of pagesOf(step, live, connection)) {
    for (const portion of portionsOf(convertedRows(rows, { step, convert, connection }))) await write(portion)
    progress.wroteRows(rows.length)
  }
  const filled = await tableNamed(table, connection)
  await execute(connection.schemaDialect.replaceColumn(filled, column.name, temporary), connection)
  await execute(connection.schemaDialect.unlock, connection)
}

type Page = Record<string, unknown>[]

/** Reads all rows that have a value, in the order of their key: each page begins after the previous one. */
async function* pagesOf(
  { table, from, column }: ConvertStep,
  live: LiveTable,
  connection: SchemaConnection,
): AsyncGenerator<Page> {
  const { dialect } = connection
  const keys = keyColumns(live)
  const keyList = keys.map((key) => sql`${sql.identifier(key)}`)
  const name = sql.identifier(column.name)
  const selected = [
    ...keyList.map((key) => sql`${key} as ${key}`),
    sql`${dialect.select(sql`${name}`, from.kind)} as ${name}`,
  ]
  const pageAfter = (isBehind: SQL) =>
    connection.prepare<Record<string, unknown>>(
      sql`select ${sql.join(selected, sql`, `)} from ${sql.identifier(table)}
        where ${name} is not null and ${isBehind} order by ${sql.join(keyList, sql`, `)} limit ${sql.raw(String(pageSize))}`,
      { [column.name]: from.kind },
    )
  const following = pageAfter(sql`(${isBehindLast(keys)})`)
  let page: Page = await connection.all(pageAfter(sql`1 = 1`))
  while (page.length > 0) {
    yield page
    const last = page.at(-1)
    page = page.length < pageSize ? [] : await connection.all(following, keyValues(last ?? {}, keys))
  }
}

/**
 * `a > :a or (a = :a and b > :b)`: every database uses an index for this, but not for a comparison of rows.
 */
function isBehindLast(keys: readonly string[]): SQL {
  const alternatives = keys.map((key, position) => {
    const same = keys
      .slice(0, position)
      .map((before) => sql`${sql.identifier(before)} = ${keyPlaceholder(before)}`)
    return sql`(${sql.join([...same, sql`${sql.identifier(key)} > ${keyPlaceholder(key)}`], sql` and `)})`
  })
  return sql.join(alternatives, sql` or `)
}

interface ConvertedRow {
  readonly key: Values
  readonly value: unknown
}

/** Leaves out values that have no form in the new kind: they become null. */
function convertedRows(
  rows: Page,
  {
    step: { column },
    convert,
    connection,
  }: Pick<Conversion, 'convert' | 'connection'> & { readonly step: ConvertStep },
): ConvertedRow[] {
  return rows.flatMap((row) => {
    const value = connection.dialect.bind(convert(row[column.name]), column.kind)
    return value === null ? [] : [{ key: row, value }]
  })
}

/** Writes rows with a single statement: `set … = case when <key> then <value> … end`. */
function rowWriter({ table, column }: ConvertStep, live: LiveTable, connection: SchemaConnection) {
  const keys = keyColumns(live)
  const name = sql.identifier(temporaryName(column.name))
  const statementFor = (count: number) => {
    const isRow = Array.from({ length: count }, (_, row) => {
      const parts = keys.map((key) => sql`${sql.identifier(key)} = ${keyPlaceholder(key, row)}`)
      return sql`(${sql.join(parts, sql` and `)})`
    })
    const cases = isRow.map(
      (condition, row) =>
        sql`when ${condition} then ${connection.dialect.placeholder(`value ${row}`, column.kind)}`,
    )
    return connection.prepare(sql`update ${sql.identifier(table)} set ${name} = case ${sql.join(cases, sql` `)} end
      where ${sql.join(isRow, sql` or `)}`)
  }
  const statements = new Map<number, ReturnType<typeof statementFor>>()
  return async (rows: readonly ConvertedRow[]) => {
    const statement = statements.get(rows.length) ?? statementFor(rows.length)
    statements.set(rows.length, statement)
    const values = rows.map(({ key, value }, row) => ({
      ...keyValues(key, keys, row),
      [`value ${row}`]: value,
    }))
    await connection.run(statement, Object.assign({}, ...values))
  }
}

function keyColumns({ name, primaryKey }: LiveTable): readonly string[] {
  if (primaryKey.length === 0) throw new Error(`the table ${name} has no primary key to convert its rows by`)
  return primaryKey
}

// Keys are ids, references and short strings, none of which need conversion.
const keyName = (key: string, row: number) => `key ${row} ${key}`

const keyPlaceholder = (key: string, row = 0) => sql.placeholder(keyName(key, row))

function keyValues(row: Values, keys: readonly string[], number = 0): Values {
  return Object.fromEntries(keys.map((key) => [keyName(key, number), row[key]]))
}
