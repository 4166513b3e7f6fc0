import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKind } from '../tables/column-kind.ts'
import { shortenIdentifier } from '../tables/identifier.ts'
import { convertColumn, rewriteColumn } from './convert-column.ts'
import type { LiveTable } from './live-schema.ts'
import type { SyncProgress } from './progress.ts'
import type { SchemaConnection } from './schema-store.ts'
import { type Step, type StepOf, tableOf } from './step.ts'

/** The result of a step that loses data. */
export interface LossyResult {
  readonly isApplied: boolean
  /** The table with the removed data. */
  readonly backup?: string
}

const refused: LossyResult = { isApplied: false }

/**
 * Carries out a step that loses data, after copying the affected data to a table named
 * `svc_dropped_<time>_<table>_<column>`. Rejects steps that are impossible even with a loss.
 */
export async function applyLossy(
  step: Step,
  connection: SchemaConnection,
  progress: SyncProgress,
): Promise<LossyResult> {
  const live = (await connection.introspect()).get(tableOf(step))
  if (live === undefined) return refused
  switch (step.change) {
    case 'drop-table':
      return dropTable(step, live, connection)
    case 'drop-column': {
      const backup = await backUp(live, [step.column.name], connection)
      await execute([step], connection)
      return { isApplied: true, backup }
    }
    case 'convert-column': {
      const backup = await backUp(live, [step.column.name], connection)
      await convertColumn(step, connection, progress)
      return { isApplied: true, backup }
    }
    case 'drop-attribute':
    case 'drop-component':
    case 'convert-attribute': {
      const backup = await backUp(live, [step.column.name], connection)
      await rewriteColumn(step, step.loss.convert, connection, progress)
      return { isApplied: true, backup }
    }
    case 'make-required':
      return makeRequired(step, connection)
    case 'create-unique-index':
      return clearDuplicates(step, live, connection)
    case 'add-reference':
      return clearOrphans(step, live, connection)
    default:
      return refused
  }
}

async function execute(steps: readonly Step[], connection: SchemaConnection) {
  const statements = connection.schemaDialect.statements(steps, await connection.introspect())
  for (const statement of statements) await connection.execute(statement)
}

async function dropTable(step: StepOf<'drop-table'>, live: LiveTable, connection: SchemaConnection) {
  const backup = await backUp(live, undefined, connection)
  const tables = [...(await connection.introspect()).values()]
  const pointing = tables.flatMap((table) =>
    table.references
      .filter((reference) => reference.table === live.name && table.name !== live.name)
      .map((reference): Step => ({ change: 'drop-reference', table: table.name, reference })),
  )
  await execute([...pointing, step], connection)
  return { isApplied: true, backup }
}

/** Copies whole rows, or the key and some columns of all rows that have a value in one of them. */
async function backUp(
  table: LiveTable,
  columns: readonly string[] | undefined,
  connection: SchemaConnection,
  condition?: SQL,
): Promise<string> {
  const time = new Date().toISOString().replace(/\D/g, '')
  const name = shortenIdentifier(['svc_dropped', time, table.name, ...(columns ?? [])].join('_'))
  const kept =
    columns === undefined ? [...table.columns.keys()] : [...new Set([...table.primaryKey, ...columns])]
  const present = (columns ?? []).map((column) => sql`${sql.identifier(column)} is not null`)
  const where = condition ?? (present.length === 0 ? undefined : sql.join(present, sql` or `))
  const selected = sql.join(
    kept.map((column) => sql.identifier(column)),
    sql`, `,
  )
  const query = sql`create table ${sql.identifier(name)} as select ${selected} from ${sql.identifier(table.name)}${
    where === undefined ? sql`` : sql` where ${where}`
  }`
  await connection.run(connection.prepare(query))
  return name
}

const fillers: Partial<Record<ColumnKind, unknown>> = {
  integer: 0,
  bigint: 0,
  decimal: 0,
  boolean: false,
  string: '',
  text: '',
  date: '1970-01-01',
  datetime: '1970-01-01T00:00:00.000Z',
  json: {},
  point: { lat: 0, lng: 0 },
}

async function makeRequired(
  step: StepOf<'make-required'>,
  connection: SchemaConnection,
): Promise<LossyResult> {
  const { table, column } = step
  const filler = column.default ?? fillers[column.kind]
  if (filler === undefined) return refused
  const { dialect } = connection
  const name = sql.identifier(column.name)
  const query = sql`update ${sql.identifier(table)} set ${name} = ${dialect.placeholder('value', column.kind)}
    where ${name} is null`
  await connection.run(connection.prepare(query), { value: dialect.bind(filler, column.kind) })
  await execute([step], connection)
  return { isApplied: true }
}

/** Of rows with equal values, the first one keeps them; the others get null in a column that allows it. */
async function clearDuplicates(
  step: StepOf<'create-unique-index'>,
  live: LiveTable,
  connection: SchemaConnection,
): Promise<LossyResult> {
  const { columns } = step.index
  const cleared = columns.find((column) => live.columns.get(column)?.nullable === true)
  const [key] = live.primaryKey
  if (cleared === undefined || key === undefined || live.primaryKey.length > 1) return refused
  const isPresent = sql.join(
    columns.map((column) => sql`${sql.identifier(column)} is not null`),
    sql` and `,
  )
  const grouped = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )
  // MySQL cannot read the table that it updates, except through a subquery.
  const first = sql`select kept from (select min(${sql.identifier(key)}) as kept from ${sql.identifier(live.name)}
    where ${isPresent} group by ${grouped}) firsts`
  const isRepeated = sql`${isPresent} and ${sql.identifier(key)} not in (${first})`
  const backup = await backUp(live, columns, connection, isRepeated)
  const query = sql`update ${sql.identifier(live.name)} set ${sql.identifier(cleared)} = null where ${isRepeated}`
  await connection.run(connection.prepare(query))
  await execute([step], connection)
  return { isApplied: true, backup }
}

/** A reference to a missing row becomes null; if null is not allowed, the row with the reference is deleted. */
async function clearOrphans(
  step: StepOf<'add-reference'>,
  live: LiveTable,
  connection: SchemaConnection,
): Promise<LossyResult> {
  const { column, table: target } = step.reference
  const name = sql.identifier(column)
  const isOrphan = sql`${name} is not null and ${name} not in (select id from ${sql.identifier(target)})`
  const isNullable = live.columns.get(column)?.nullable === true
  const backup = await backUp(live, isNullable ? [column] : undefined, connection, isOrphan)
  const table = sql.identifier(live.name)
  const query = isNullable
    ? sql`update ${table} set ${name} = null where ${isOrphan}`
    : sql`delete from ${table} where ${isOrphan}`
  await connection.run(connection.prepare(query))
  await execute([step], connection)
  return { isApplied: true, backup }
}
