import { sql } from 'drizzle-orm'
import { type Database, insertMany, query } from '../../database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { Term } from '../terms.ts'
import { stemToken, wordToken } from '../tokens.ts'
import { documentColumns, documentsTable, removal } from './documents-table.ts'
import type { SearchEngine } from './engine.ts'

const documents = sql.identifier(documentsTable)

/**
 * A `tsvector` with a GIN index. Built here, word by word, because the server's own parser splits words
 * differently.
 */
export function createPostgresEngine(database: Database): SearchEngine {
  const remove = removal(database)
  const insertRows = insertMany<Record<string, unknown>>(database, {
    table: documentsTable,
    columns: {
      ...documentColumns,
      words: { column: 'words', kind: 'text' },
    },
    expressions: { words: (value) => sql`${value('words', 'text')}::tsvector` },
  })

  return {
    table: documentsTable,
    from: sql`${documents} d`,
    matches: (value) => sql`d.words @@ ${value('terms', 'text')}::tsquery`,
    score: (value) => sql`ts_rank(d.words, ${value('terms', 'text')}::tsquery)`,
    expression,
    valuesOf: (terms) => ({ terms: expression(terms) }),
    prepare: () =>
      database.transaction(async (tx) => {
        // Two processes that create a table at the same time would conflict.
        await query(database, () => sql`select pg_advisory_xact_lock(7262027)`).all({}, tx)
        for (const statement of tables) await query(database, () => statement).run({}, tx)
      }),
    async settle() {
      // Otherwise plans made while the table was empty would stay until the server analyzes it.
      await query(database, () => sql`analyze ${documents}`).run()
    },
    insert: (added, tx) =>
      insertRows.soon(
        added.map((document) => ({ ...document, words: vectorOf(document) })),
        tx,
      ),
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
  sql`create index if not exists svc_search_documents_words on ${documents} using gin (words)`,
]

/** The server caps positions beyond this. */
const lastPosition = 16_383
/** The server keeps no more positions of one word. */
const maxPositions = 255

/** Words are weighted by place: A in the title, C elsewhere; stems count half as much, as B and D. */
function vectorOf({ title, body }: SearchDocument): string {
  const places = new Map<string, string[]>()
  const add = (token: string, place: string) => {
    const known = places.get(token)
    if (known === undefined) places.set(token, [place])
    else if (known.length < maxPositions) known.push(place)
  }
  let position = 0
  const addText = ({ words, stems }: SearchDocument['title'], weight: string, stemWeight: string) => {
    for (const word of words) add(word, `${Math.min(++position, lastPosition)}${weight}`)
    for (const stem of stems) add(stem, `${lastPosition}${stemWeight}`)
  }
  addText(title, 'A', 'B')
  addText(body, 'C', 'D')
  return [...places].map(([token, all]) => `'${token}':${all.join(',')}`).join(' ')
}

function expression(terms: readonly Term[]): string {
  return terms.map((term) => `${term.isExcluded ? '!' : ''}${termExpression(term)}`).join(' & ')
}

function termExpression({ words, stems, isPrefix }: Term): string {
  const phrase = words.map((word) => `'${wordToken(word)}'`).join(' <-> ')
  const forms = stems.map((stem) => `'${stemToken(stem)}'`)
  return `(${[`(${phrase}${isPrefix ? ':*' : ''})`, ...forms].join(' | ')})`
}
