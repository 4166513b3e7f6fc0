import type { ArticleInput } from '../data.ts'
import { openSqliteFile } from './sqlite-data.ts'
import { type Article, type Category, type FloorStore, groupBySource } from './store.ts'

const articleColumns = `article.id, title, slug, featured, "rank", body,
  article.published_at, article.created_at, article.updated_at`
const authorColumns = 'author.id, author.name, email, bio, author.created_at, author.updated_at'
const categoryIds = `(select group_concat(target_id) from
  (select target_id from article_category where source_id = article.id order by position))`
const featuredWith = 'from article where featured = 1 and instr(title, ?) > 0'

const readText = `select ${articleColumns}, author_id, ${categoryIds} from article where id = ?`
const listText = `select ${articleColumns}, author_id, ${categoryIds} from article
  order by id desc limit ? offset ?`
const populatedText = `select ${articleColumns}, ${authorColumns}
  from (select * from article order by id desc limit ? offset ?) as article
  left join author on author.id = article.author_id order by article.id desc`
const categoriesText = `select source_id, id, name, slug, created_at, updated_at
  from article_category join category on id = target_id
  where source_id in (select value from json_each(?)) order by source_id, position`
const featuredText = `select ${articleColumns}, author_id, ${categoryIds} ${featuredWith}
  order by id desc limit ?`
const insertText = `insert into article
  (title, slug, featured, "rank", body, author_id, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)`

// Rows are arrays, in the order of the columns above: better-sqlite3 makes them faster than objects.
type ArticleRow = [number, string, string, number, number, string, string | null, string, string]
type EntryRow = [...ArticleRow, author: number | null, categories: string | null]
type AuthorRow = [id: number | null, string, string, string, string, string]
type CategoryRow = [source: number, id: number, string, string, string, string]

function toArticle(
  row: readonly [...ArticleRow, ...unknown[]],
  author: Article['author'],
  categories: Article['categories'],
): Article {
  return {
    id: row[0],
    title: row[1],
    slug: row[2],
    featured: row[3] === 1,
    rank: row[4],
    body: row[5],
    author,
    categories,
    published_at: row[6],
    created_at: row[7],
    updated_at: row[8],
  }
}

const toEntry = (row: EntryRow): Article =>
  toArticle(row, row[9], row[10] === null ? [] : row[10].split(',').map(Number))

const toAuthor = (row: [...ArticleRow, ...AuthorRow]): Article['author'] =>
  row[9] === null
    ? null
    : { id: row[9], name: row[10], email: row[11], bio: row[12], created_at: row[13], updated_at: row[14] }

const toCategory = (row: CategoryRow): [number, Category] => [
  row[0],
  { id: row[1], name: row[2], slug: row[3], created_at: row[4], updated_at: row[5] },
]

/** The floor on better-sqlite3: one connection, every statement prepared once, rows as arrays. */
export function openSqlite(path: string): FloorStore {
  const database = openSqliteFile(path)
  const read = database.prepare<[number], EntryRow>(readText).raw()
  const list = database.prepare<[number, number], EntryRow>(listText).raw()
  const populated = database.prepare<[number, number], [...ArticleRow, ...AuthorRow]>(populatedText).raw()
  const categories = database.prepare<[string], CategoryRow>(categoriesText).raw()
  const featured = database.prepare<[string, number], EntryRow>(featuredText).raw()
  const count = database.prepare<[], number>('select count(*) from article').pluck()
  const countFeatured = database.prepare<[string], number>(`select count(*) ${featuredWith}`).pluck()
  const insert = database.prepare(insertText)
  const link = database.prepare('insert into article_category values (?, ?, ?)')

  const insertArticle = database.transaction((input: ArticleInput): Article => {
    const now = new Date().toISOString()
    const { title, slug, featured, rank, body, author } = input
    const inserted = insert.run(title, slug, featured ? 1 : 0, rank, body, author, now, now)
    const id = Number(inserted.lastInsertRowid)
    for (const [position, category] of input.categories.entries()) link.run(id, category, position)
    return { id, ...input, published_at: null, created_at: now, updated_at: now }
  })

  return {
    readArticle(id) {
      const row = read.get(id)
      return row && toEntry(row)
    },
    listArticles: (limit, offset) => ({
      articles: list.all(limit, offset).map(toEntry),
      total: count.get() ?? 0,
    }),
    listPopulated(limit, offset) {
      const rows = populated.all(limit, offset)
      const linked = categories.all(JSON.stringify(rows.map((row) => row[0])))
      const groups = groupBySource(linked.map(toCategory))
      return {
        articles: rows.map((row) => toArticle(row, toAuthor(row), groups.get(row[0]) ?? [])),
        total: count.get() ?? 0,
      }
    },
    listFeatured: (word, limit) => ({
      articles: featured.all(word, limit).map(toEntry),
      total: countFeatured.get(word) ?? 0,
    }),
    createArticle: (input) => insertArticle.immediate(input),
  }
}
