import { type SQL, sql } from 'drizzle-orm'
import { type Database, insertMany, query } from '../../../foundation/database/database.ts'
import type { Clause, Phrase } from '../clauses.ts'
import type { DocumentRow } from './document-row.ts'
import { documentColumns, documentsTable, removal } from './documents-table.ts'
import { type SearchEngine, type SearchScope, titleWeight } from './engine.ts'

const documents = sql.identifier(documentsTable)

/** FULLTEXT indexes of InnoDB, queried in boolean mode. */
export function createMysqlEngine(database: Database): SearchEngine {
  const remove = removal(database)
  const insertRows = insertMany<DocumentRow>(database, {
    table: documentsTable,
    columns: {
      ...documentColumns,
      titleWords: { column: 'title', kind: 'text' },
      bodyWords: { column: 'body', kind: 'text' },
      fieldWords: { column: 'field_words', kind: 'text' },
    },
  })

  return {
    table: documentsTable,
    anywhere: {
      ...scopeOf(sql`d.title, d.body`),
      score: (value) => sql`match(d.title, d.body) against (${value('terms', 'text')} in boolean mode)
        + ${sql.raw(String(titleWeight))} * match(d.title) against (${value('wanted', 'text')} in boolean mode)`,
    },
    byField: scopeOf(sql`d.field_words`),
    expression,
    // For the title each clause counts separately.
    valuesOf: (clauses) => ({
      terms: expression(clauses),
      wanted: clauses
        .filter(({ isExcluded }) => !isExcluded)
        .map(clauseExpression)
        .join(' '),
      verified: patternOf(clauses),
    }),
    settle: async () => undefined,
    async prepare() {
      await query(database, () => table).run()
      await extendTable(database)
    },
    insert: (rows, tx) => insertRows.soon(rows, tx),
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

/** Nullable, since processes of an earlier version do not set these columns. */
const additions = [
  {
    known: sql`information_schema.columns where column_name = 'format'`,
    add: sql`add column format int, add column field_words longtext`,
  },
  {
    known: sql`information_schema.statistics where index_name = 'svc_search_field_words'`,
    add: sql`add fulltext key svc_search_field_words (field_words)`,
  },
]

/** Several processes may try this at the same time; only one succeeds. */
async function extendTable(database: Database): Promise<void> {
  for (const { known, add } of additions) {
    const find = query(
      database,
      () => sql`select 1 from ${known} and table_schema = database()
        and table_name = ${sql.raw(`'${documentsTable}'`)}`,
    )
    if ((await find.get()) !== undefined) continue
    try {
      await query(database, () => sql`alter table ${documents} ${add}`).run()
    } catch (error) {
      if ((await find.get()) === undefined) throw error
    }
  }
}

function scopeOf(columns: SQL): SearchScope {
  const score: SearchScope['score'] = (value) =>
    sql`match(${columns}) against (${value('terms', 'text')} in boolean mode)`
  const matches: SearchScope['matches'] = (
    value,
  ) => sql`(${score(value)} and (${value('verified', 'text')} = ${anything}
    or concat_ws(' ', ${columns}) regexp ${value('verified', 'text')}))`
  const isExact: SearchScope['isExact'] = (value) =>
    sql`(match(${columns}) against (${value('exact', 'text')} in boolean mode) > 0)`
  return { from: sql`${documents} d`, matches, score, isExact }
}

const anything = sql.raw(`'.'`)

/**
 * InnoDB does not support phrases with an unfinished last word. Instead it searches for the words, and a pattern checks that
 * they are consecutive. At most one clause has such a phrase (see `Term`).
 */
function patternOf(clauses: readonly Clause[]): string {
  const unfinished = clauses.find(({ phrases }) => phrases.some(isUnfinishedPhrase))
  if (unfinished === undefined) return '.'
  const patterns = unfinished.phrases.map(
    ({ tokens, isPrefix }) => `${tokens.join(' ')}${isPrefix ? '' : '( |$)'}`,
  )
  return `(^| )(${patterns.join('|')})`
}

const isUnfinishedPhrase = ({ tokens, isPrefix }: Phrase) => isPrefix && tokens.length > 1

/** Puts exclusions last: InnoDB ignores those before the wanted clauses. */
function expression(clauses: readonly Clause[]): string {
  const wanted = clauses
    .filter(({ isExcluded }) => !isExcluded)
    .map((clause) => `+${clauseExpression(clause)}`)
  const excluded = clauses
    .filter(({ isExcluded }) => isExcluded)
    .map((clause) => `-${clauseExpression(clause)}`)
  return [...wanted, ...excluded].join(' ')
}

function clauseExpression({ phrases }: Clause): string {
  return `(${phrases.map(phraseExpression).join(' ')})`
}

function phraseExpression(phrase: Phrase): string {
  const { tokens, isPrefix } = phrase
  if (isUnfinishedPhrase(phrase)) return `(${tokens.map((token) => `+${token}`).join(' ')}*)`
  const text = tokens.join(' ')
  return tokens.length > 1 ? `"${text}"` : `${text}${isPrefix ? '*' : ''}`
}
