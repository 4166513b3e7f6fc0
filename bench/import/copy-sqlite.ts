import type { Statement } from 'better-sqlite3'
import { documentOf, sourceOf } from '../../core-plugins/delivery/search/document.ts'
import { textOf } from '../../core-plugins/delivery/search/engines/document-row.ts'
import { plainText } from '../../core-plugins/delivery/search/plain-text.ts'
import type { SearchedText } from '../../core-plugins/delivery/search/searched-texts.ts'
import { noTokenizers } from '../../core-plugins/delivery/search/tokenizers.ts'
import { openSqliteFile } from '../floor/sqlite-data.ts'
import { type CopiedRows, type Copy, quoted } from './copied-rows.ts'

/** Longer statements are no faster. */
const rowsAtOnce = 50

/** Its full-text tables do not store the original texts, so these are generated again. */
export function openSqliteCopy(from: string, to: string): Copy {
  const [source, target] = [openSqliteFile(pathOf(from)), openSqliteFile(pathOf(to))]
  const statements = new Map<string, Statement>()

  function statementFor({ table, columns }: CopiedRows, rows: number): Statement {
    const names = columns.map((name) => quoted(name, 'sqlite')).join()
    const values = `(${columns.map(() => '?').join()})`
    const text = `insert into ${table} (${names}) values ${Array(rows).fill(values).join()}`
    const statement = statements.get(text) ?? target.prepare(text)
    statements.set(text, statement)
    return statement
  }

  const insert = target.transaction((batch: readonly CopiedRows[]) => {
    for (const part of batch) {
      for (let start = 0; start < part.rows.length; start += rowsAtOnce) {
        const rows = part.rows.slice(start, start + rowsAtOnce)
        statementFor(part, rows.length).run(rows.flat())
      }
    }
  })

  return {
    read(tables, first, last) {
      const plain = tables.map(({ name, rowsOf }) => {
        const select = source.prepare(`select * from ${name} where ${rowsOf(first, last)}`)
        const columns = select.columns().map((column) => column.name)
        return { table: name, columns, rows: select.raw().all() as unknown[][] }
      })
      const articles = source
        .prepare(
          `select d.id as document, a.* from svc_search_documents d join content_article a on a.id = d.entry_id
            where d.type = 'article' and a.id between ? and ?`,
        )
        .all(first, last) as IndexedArticle[]
      return [...plain, ...wordsOf(articles)]
    },
    insert,
    close() {
      source.close()
      target.close()
    },
  }
}

const pathOf = (url: string) => url.replace(/^sqlite:/, '')

type IndexedArticle = Record<string, unknown> & {
  readonly document: number
  readonly title: string
  readonly slug: string
  readonly body: string
}

function wordsOf(articles: readonly IndexedArticle[]): CopiedRows[] {
  const documents = articles.map((entry) => ({
    id: entry.document,
    ...documentOf(
      sourceOf({ name: 'article' }, entry, { texts: textsOf(entry), defaultLocale: 'en' }),
      noTokenizers,
    ),
  }))
  const columns = ['rowid', 'title', 'body']
  const anywhere = documents.map(({ id, title, body }) => [id, textOf(title), textOf(body)])
  const byField = documents.map(({ id, byField: { title, body } }) => [id, textOf(title), textOf(body)])
  return [
    { table: 'svc_search_words', columns, rows: anywhere },
    { table: 'svc_search_field_words', columns, rows: byField },
  ]
}

function textsOf({ title, slug, body }: IndexedArticle): SearchedText[] {
  return [
    { path: 'title', field: 'title', text: title, isTitle: true },
    { path: 'slug', field: 'slug', text: slug, isTitle: false },
    { path: 'body', field: 'body', text: plainText(body), isTitle: false },
  ]
}
