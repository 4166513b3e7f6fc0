import { sql } from 'drizzle-orm'
import type { SchemaConnection } from './schema-store.ts'
import type { StepOf } from './step.ts'

/** Fills empty values of a column with those of another one. */
export async function fillColumn(
  { table, column, from }: StepOf<'fill-column'>,
  connection: SchemaConnection,
): Promise<void> {
  const name = sql.identifier(column)
  const query = sql`update ${sql.identifier(table)} set ${name} = ${sql.identifier(from)} where ${name} is null`
  await connection.run(connection.prepare(query))
}
