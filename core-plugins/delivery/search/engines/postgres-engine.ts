import { sql } from 'drizzle-orm'
import { type Database, insertMany, query } from '../../../foundation/database/database.ts'
import type { Clause, Phrase } from '../clauses.ts'
import type { DocumentRow } from './document-row.ts'
import { documentColumns, documentsTable, removal } from './documents-table.ts'
import type { SearchEngine, SearchScope } from './engine.ts'

const documents = sql.identifier(documentsTable)

/**
 * A `tsvector` with a GIN index. Built here, word by word, because the server's own parser splits words
 * differently.
 */
export function createPostgresEngine(database: Database): SearchEngine {
  const remove = removal(database)
  const insertRows = insertMany<DocumentRow>(database, {
    table: documentsTable,
    columns: {
      ...documentColumns,
      words: { column: 'words', kind: 'text' },
      fieldWords: { column: 'field_words', kind: 'text' },
    },
    expressions: {
      words: (value) => sql`${value('words', 'text')}::tsvector`,
      fieldWords: (value) => sql`${value('fieldWords', 'text')}::tsvector`,
    },
  })

  return {
    table: documentsTable,
    anywhere: scopeOf('words'),
    byField: scopeOf('field_words'),
    expression,
    valuesOf: (clauses) => ({ terms: expression(clauses) }),
    prepare: () =>
      database.transaction(async (tx) => {
        // Two processes that create a table at the same time would fail.
        await query(database, () => sql`select pg_advisory_xact_lock(7262027)`).all({}, tx)
        for (const statement of tables) await query(database, () => statement).run({}, tx)
      }),
    async settle() {
      // Otherwise plans made while the table was empty would stay until the server analyzes it.
      await query(database, () => sql`analyze ${documents}`).run()
    },
    insert: (rows, tx) => insertRows.soon(rows, tx),
    async remove(type, entryIds, tx) {
      await remove.run({ type, entryIds }, tx)
    },
  }
}

const tables = [
  sql`create table if not exists ${documents} (
    type character varying(255) collate "C" not null, entry_id bigint not null,
    locale character varying(35) collate "C", published_at timestamp(3) with time zone,
    updated_at timestamp(3) with time zone not null, words tsvector not null,
    primary key (type, entry_id))`,
  // Nullable, since processes of an earlier version do not set this column.
  sql`alter table ${documents} add column if not exists field_words tsvector`,
  sql`alter table ${documents} add column if not exists format integer`,
  sql`create index if not exists svc_search_documents_words on ${documents} using gin (words)`,
  sql`create index if not exists svc_search_documents_field_words on ${documents} using gin (field_words)`,
]

function scopeOf(column: string): SearchScope {
  const vector = sql`d.${sql.identifier(column)}`
  return {
    from: sql`${documents} d`,
    matches: (value) => sql`${vector} @@ ${value('terms', 'text')}::tsquery`,
    isExact: (value) => sql`(${vector} @@ ${value('exact', 'text')}::tsquery)`,
    score: (value) => sql`ts_rank(${vector}, ${value('terms', 'text')}::tsquery)`,
  }
}

function expression(clauses: readonly Clause[]): string {
  return clauses.map((clause) => `${clause.isExcluded ? '!' : ''}${clauseExpression(clause)}`).join(' & ')
}

function clauseExpression({ phrases }: Clause): string {
  return `(${phrases.map(phraseExpression).join(' | ')})`
}

function phraseExpression({ tokens, isPrefix }: Phrase): string {
  return `(${tokens.map((token) => `'${token}'`).join(' <-> ')}${isPrefix ? ':*' : ''})`
}
