import { sql } from 'drizzle-orm'
import { type Database, insertMany, query } from '../../database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { Term } from '../terms.ts'
import { stemToken, wordToken } from '../tokens.ts'
import { documentColumns, documentsTable, isNamed, removal } from './documents-table.ts'
import { type SearchEngine, titleWeight } from './engine.ts'

const documents = sql.identifier(documentsTable)
const words = sql.identifier('svc_search_words')

/** FTS5 (https://www.sqlite.org/fts5.html), with the documents themselves in a separate table. */
export function createSqliteEngine(database: Database): SearchEngine {
  const removeDocuments = removal(database)
  const removeWords = query<unknown>(
    database,
    (value, inList) =>
      sql`delete from ${words} where rowid in (select id from ${documents} where ${isNamed(value, inList)})`,
  )
  const insertDocuments = insertMany<Record<string, unknown>>(database, {
    table: documentsTable,
    columns: documentColumns,
  })
  const insertWords = insertMany<DocumentWords>(database, {
    table: 'svc_search_words',
    columns: {
      // The rows of words refer to the ids of documents, which the database assigns.
      id: { column: 'rowid', kind: 'integer' },
      title: { column: 'title', kind: 'text' },
      body: { column: 'body', kind: 'text' },
    },
    expressions: {
      id: (value) => sql`(select id from ${documents} where type = ${value('type', 'string')}
        and entry_id = ${value('entryId', 'integer')})`,
    },
  })

  return {
    table: documentsTable,
    from: sql`${words} join ${documents} d on d.id = ${words}.rowid`,
    matches: (value) => sql`${words} match ${value('terms', 'text')}`,
    score: () => sql`-bm25(${words}, ${sql.raw(`${titleWeight}.0`)}, 1.0)`,
    expression,
    valuesOf: (terms) => ({ terms: expression(terms) }),
    settle: async () => undefined,
    async prepare() {
      for (const statement of tables) await query(database, () => statement).run()
    },
    insert(added, tx) {
      insertDocuments.soon(
        added.map((document) => ({ ...document, title: undefined, body: undefined })),
        tx,
      )
      insertWords.soon(added.map(wordsOf), tx)
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
  // Without the texts, which are never shown from here. Tokens are ASCII; two letters of each are their
  // prefix.
  sql`create virtual table if not exists ${words} using fts5(title, body, content = '', contentless_delete = 1,
    prefix = '3 4 5', tokenize = "ascii tokenchars '_'")`,
]

interface DocumentWords extends Pick<SearchDocument, 'type' | 'entryId'> {
  readonly title: string
  readonly body: string
}

function wordsOf({ type, entryId, title, body }: SearchDocument): DocumentWords {
  const textOf = ({ words, stems }: SearchDocument['title']) => [...words, ...stems].join(' ')
  return { type, entryId, title: textOf(title), body: textOf(body) }
}

function expression(terms: readonly Term[]): string {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded).map(termExpression)
  const excluded = terms.filter(({ isExcluded }) => isExcluded).map(termExpression)
  const all = wanted.join(' AND ')
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.join(' OR ')})`
}

function termExpression({ words, stems, isPrefix }: Term): string {
  const phrase = `"${words.map(wordToken).join(' ')}"${isPrefix ? '*' : ''}`
  const forms = stems.map((stem) => `"${stemToken(stem)}"`)
  return `(${[phrase, ...forms].join(' OR ')})`
}
