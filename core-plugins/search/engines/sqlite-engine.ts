import { sql } from 'drizzle-orm'
import { type Database, insertMany, query, type Transaction } from '../../database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { Term } from '../terms.ts'
import { stemToken, wordToken } from '../tokens.ts'
import { documentColumns, documentsTable, isNamed, removal } from './documents-table.ts'
import { type SearchEngine, titleWeight } from './engine.ts'

const documents = sql.identifier(documentsTable)
const words = sql.identifier('svc_search_words')

/** FTS5 (https://www.sqlite.org/fts5.html), with the documents themselves in a table beside it. */
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
  const findIds = query<{ id: number; entryId: number }>(
    database,
    (value, inList) =>
      sql`select id, entry_id as ${sql.identifier('entryId')} from ${documents} where ${isNamed(value, inList)}`,
  )
  const insertWords = insertMany<Record<string, unknown>>(database, {
    table: 'svc_search_words',
    columns: {
      id: { column: 'rowid', kind: 'integer' },
      title: { column: 'title', kind: 'text' },
      body: { column: 'body', kind: 'text' },
    },
  })

  /** The rows of words go by the ids of documents, which are counted by the database. */
  async function insertWordsOf(type: string, added: readonly SearchDocument[], tx: Transaction) {
    const entryIds = added.map(({ entryId }) => entryId)
    const rows = await findIds.all({ type, entryIds }, tx)
    const ids = new Map(rows.map(({ id, entryId }) => [entryId, id]))
    await insertWords(
      added.map((document) => ({ id: ids.get(document.entryId), ...textsOf(document) })),
      tx,
    )
  }

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
    async insert(added, tx) {
      await insertDocuments(
        added.map((document) => ({ ...document, title: undefined, body: undefined })),
        tx,
      )
      for (const type of new Set(added.map((document) => document.type))) {
        await insertWordsOf(
          type,
          added.filter((document) => document.type === type),
          tx,
        )
      }
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
  // Without the texts, which are nowhere shown from here. Tokens are ASCII; two letters of each are its disguise.
  sql`create virtual table if not exists ${words} using fts5(title, body, content = '', contentless_delete = 1,
    prefix = '3 4 5', tokenize = "ascii tokenchars '_'")`,
]

function textsOf({ title, body }: SearchDocument) {
  const textOf = ({ words, stems }: SearchDocument['title']) => [...words, ...stems].join(' ')
  return { title: textOf(title), body: textOf(body) }
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
