import { sql } from 'drizzle-orm'
import { type Database, insertMany, query } from '../../../foundation/database/database.ts'
import type { Clause, Phrase } from '../clauses.ts'
import type { DocumentRow } from './document-row.ts'
import { documentColumns, documentsTable, isNamed, removal } from './documents-table.ts'
import { type SearchEngine, type SearchScope, titleWeight } from './engine.ts'

const documents = sql.identifier(documentsTable)
const wordsTable = 'svc_search_words'
const words = sql.identifier(wordsTable)
const fieldWordsTable = 'svc_search_field_words'
const fieldWords = sql.identifier(fieldWordsTable)

/** FTS5 (https://www.sqlite.org/fts5.html), with the documents themselves in a separate table. */
export function createSqliteEngine(database: Database): SearchEngine {
  const removeDocuments = removal(database)
  const removeWords = query<unknown>(
    database,
    (value, inList) =>
      sql`delete from ${words} where rowid in (select id from ${documents} where ${isNamed(value, inList)})`,
  )
  const insertDocuments = insertMany<Partial<DocumentRow>>(database, {
    table: documentsTable,
    columns: documentColumns,
  })
  const insertWords = insertWordsInto(database, wordsTable)
  const insertFieldWords = insertWordsInto(database, fieldWordsTable)

  return {
    table: documentsTable,
    anywhere: scopeOf(words),
    byField: scopeOf(fieldWords),
    expression,
    valuesOf: (clauses) => ({ terms: expression(clauses) }),
    settle: async () => undefined,
    async prepare() {
      for (const statement of tables) await query(database, () => statement).run()
      const [known] = await query(
        database,
        () => sql`select 1 from pragma_table_info('${sql.raw(documentsTable)}') where name = 'format'`,
      ).all()
      if (known === undefined)
        await query(database, () => sql`alter table ${documents} add column format INTEGER`).run()
    },
    insert(rows, tx) {
      const documents = rows.map(({ type, entryId, locale, publishedAt, updatedAt, format }) => ({
        ...{ type, entryId, locale, publishedAt, updatedAt, format },
      }))
      insertDocuments.soon(documents, tx)
      const anywhere = rows.map(({ type, entryId, title, body }) => ({ type, entryId, title, body }))
      insertWords.soon(anywhere, tx)
      const byField = rows.map(({ type, entryId, fieldTitle: title, fieldBody: body }) => ({
        ...{ type, entryId, title, body },
      }))
      insertFieldWords.soon(byField, tx)
    },
    async remove(type, entryIds, tx) {
      await removeWords.run({ type, entryIds }, tx)
      await removeDocuments.run({ type, entryIds }, tx)
    },
  }
}

const tables = [
  sql`create table if not exists ${documents} (id INTEGER primary key, type TEXT not null, entry_id INTEGER not null,
    locale TEXT, published_at DATETIME_TEXT, updated_at DATETIME_TEXT not null)`,
  sql`create unique index if not exists svc_search_documents_entry on ${documents} (type, entry_id)`,
  // Without the texts, which are never read from here. The prefix of tokens has two letters, so prefix indexes are that much
  // longer. Tokens are ASCII.
  sql`create virtual table if not exists ${words} using fts5(title, body, content = '', contentless_delete = 1,
    prefix = '3 4 5', tokenize = "ascii tokenchars '_'")`,
  // The prefix of these tokens has six characters.
  sql`create virtual table if not exists ${fieldWords} using fts5(title, body, content = '', contentless_delete = 1,
    prefix = '8 9', tokenize = "ascii tokenchars '_'")`,
  // Processes of an earlier version do not delete from that table.
  sql`create trigger if not exists svc_search_documents_removed after delete on ${documents}
    begin delete from ${fieldWords} where rowid = old.id; end`,
]

function scopeOf(table: typeof words): SearchScope {
  return {
    from: sql`${table} join ${documents} d on d.id = ${table}.rowid`,
    matches: (value) => sql`${table} match ${value('terms', 'text')}`,
    isExact: (value) =>
      sql`d.id in (select rowid from ${table} where ${table} match ${value('exact', 'text')})`,
    score: () => sql`-bm25(${table}, ${sql.raw(`${titleWeight}.0`)}, 1.0)`,
  }
}

function insertWordsInto(database: Database, table: string) {
  return insertMany<Partial<DocumentRow>>(database, {
    table,
    columns: {
      // The word tables refer to the ids of documents, which the database generates.
      id: { column: 'rowid', kind: 'integer' },
      title: { column: 'title', kind: 'text' },
      body: { column: 'body', kind: 'text' },
    },
    expressions: {
      id: (value) => sql`(select id from ${documents} where type = ${value('type', 'string')}
        and entry_id = ${value('entryId', 'integer')})`,
    },
  })
}

function expression(clauses: readonly Clause[]): string {
  const wanted = clauses.filter(({ isExcluded }) => !isExcluded).map(clauseExpression)
  const excluded = clauses.filter(({ isExcluded }) => isExcluded).map(clauseExpression)
  const all = wanted.join(' AND ')
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.join(' OR ')})`
}

function clauseExpression({ phrases }: Clause): string {
  return `(${phrases.map(phraseExpression).join(' OR ')})`
}

function phraseExpression({ tokens, isPrefix }: Phrase): string {
  return `"${tokens.join(' ')}"${isPrefix ? '*' : ''}`
}
