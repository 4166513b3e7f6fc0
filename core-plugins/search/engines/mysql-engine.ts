import { sql } from 'drizzle-orm'
import { type Database, insertMany, query } from '../../database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { Term } from '../terms.ts'
import { stemToken, wordToken } from '../tokens.ts'
import { documentColumns, documentsTable, removal } from './documents-table.ts'
import { type SearchEngine, titleWeight } from './engine.ts'

const documents = sql.identifier(documentsTable)

/** FULLTEXT indexes of InnoDB, queried in boolean mode. */
export function createMysqlEngine(database: Database): SearchEngine {
  const remove = removal(database)
  const insertRows = insertMany<Record<string, unknown>>(database, {
    table: documentsTable,
    columns: {
      ...documentColumns,
      titleWords: { column: 'title', kind: 'text' },
      bodyWords: { column: 'body', kind: 'text' },
    },
  })

  return {
    table: documentsTable,
    from: sql`${documents} d`,
    matches: (value) => sql`match(d.title, d.body) against (${value('terms', 'text')} in boolean mode)`,
    score: (value) => sql`match(d.title, d.body) against (${value('terms', 'text')} in boolean mode)
      + ${sql.raw(String(titleWeight))} * match(d.title) against (${value('wanted', 'text')} in boolean mode)`,
    expression,
    // In the title each term counts separately.
    valuesOf: (terms) => ({
      terms: expression(terms),
      wanted: terms
        .filter(({ isExcluded }) => !isExcluded)
        .map(forms)
        .join(' '),
    }),
    settle: async () => undefined,
    async prepare() {
      await query(database, () => table).run()
    },
    insert: (added, tx) =>
      insertRows.soon(
        added.map((document) => ({
          ...document,
          titleWords: textOf(document.title),
          bodyWords: textOf(document.body),
        })),
        tx,
      ),
    async remove(type, entryIds, tx) {
      await remove.run({ type, entryIds }, tx)
    },
  }
}

const table = sql`create table if not exists ${documents} (
  type varchar(255) not null, entry_id bigint not null, locale varchar(35), published_at datetime(3),
  updated_at datetime(3) not null, title longtext not null, body longtext not null,
  primary key (type, entry_id), fulltext key svc_search_title (title), fulltext key svc_search_words (title, body))
  engine = InnoDB row_format = dynamic default charset utf8mb4 collate utf8mb4_bin`

function textOf({ words, stems }: SearchDocument['title']): string {
  return [...words, ...stems].join(' ')
}

/** Puts exclusions last: InnoDB ignores those before the wanted terms. */
function expression(terms: readonly Term[]): string {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded).map((term) => `+${forms(term)}`)
  const excluded = terms.filter(({ isExcluded }) => isExcluded).map((term) => `-${forms(term)}`)
  return [...wanted, ...excluded].join(' ')
}

function forms({ words, stems, isPrefix }: Term): string {
  const [first = ''] = words
  const isPhrase = words.length > 1
  const phrase = isPhrase
    ? `"${words.map(wordToken).join(' ')}"`
    : `${wordToken(first)}${isPrefix ? '*' : ''}`
  return `(${[phrase, ...stems.map(stemToken)].join(' ')})`
}
