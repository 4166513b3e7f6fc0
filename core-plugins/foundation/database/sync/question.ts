import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { EndingDrafts } from '../tables/table-spec.ts'
import type { SchemaConnection } from './schema-store.ts'

/** What a plan needs to know about the existing rows. */
export type Question =
  | { readonly about: 'rows'; readonly table: string }
  | { readonly about: 'nulls'; readonly table: string; readonly column: string }
  | { readonly about: 'duplicates'; readonly table: string; readonly columns: readonly string[] }
  | { readonly about: 'drafts'; readonly table: string; readonly drafts: EndingDrafts }
  | { readonly about: 'trash'; readonly table: string; readonly column: string }
  | { readonly about: 'orphans'; readonly table: string; readonly column: string; readonly target: string }

/** The number of such rows, or 1 if it only matters whether any exist. */
export type Answer = (question: Question) => number

/** Asks the database; an answer costs at most one scan of a table, and only when schemas change. */
export async function askQuestions(
  questions: readonly Question[],
  connection: SchemaConnection,
): Promise<Answer> {
  const answers = new Map<string, number>()
  for (const question of questions) {
    const statement = connection.prepare(queryOf(question, connection.dialect), {})
    const row = await connection.get(statement, { now: connection.dialect.bind(new Date(), 'datetime') })
    answers.set(JSON.stringify(question), Number(row?.found ?? 0))
  }
  return (question) => answers.get(JSON.stringify(question)) ?? 0
}

function queryOf(question: Question, dialect: Dialect) {
  const table = sql.identifier(question.table)
  switch (question.about) {
    case 'rows':
      return sql`select 1 as found from ${table} limit 1`
    case 'nulls':
      return sql`select 1 as found from ${table} where ${sql.identifier(question.column)} is null limit 1`
    case 'drafts': {
      const publishedAt = sql.identifier(question.drafts.column)
      return sql`select count(*) as found from ${table}
        where ${publishedAt} is null or ${publishedAt} > ${dialect.placeholder('now', 'datetime')}`
    }
    case 'trash':
      return sql`select count(*) as found from ${table} where ${sql.identifier(question.column)} is not null`
    case 'duplicates':
      return duplicates(table, question.columns)
    case 'orphans': {
      const column = sql.identifier(question.column)
      const target = sql.identifier(question.target)
      return sql`select 1 as found from ${table} t where t.${column} is not null
        and not exists (select 1 from ${target} o where o.id = t.${column}) limit 1`
    }
  }
}

function duplicates(table: ReturnType<typeof sql.identifier>, names: readonly string[]) {
  const columns = names.map((name) => sql.identifier(name))
  const present = columns.map((column) => sql`${column} is not null`)
  return sql`select 1 as found from ${table} where ${sql.join(present, sql` and `)}
    group by ${sql.join(columns, sql`, `)} having count(*) > 1 limit 1`
}
