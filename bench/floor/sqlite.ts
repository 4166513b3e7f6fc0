import type { ArticleInput } from '../data.ts'
import { byName } from './by-name.ts'
import { openSqliteFile } from './sqlite-data.ts'
import {
  type Article,
  type Category,
  type FloorStore,
  groupBySource,
  type ListFilter,
  type ListOrder,
  listFilters,
  listOrders,
  orderOfFilter,
  orderTexts,
} from './store.ts'

const articleColumns = `article.id, title, slug, featured, "rank", body,
  article.published_at, article.created_at, article.updated_at`
const authorColumns = 'author.id, author.name, email, bio, author.created_at, author.updated_at'
const categoryIds = `(select group_concat(target_id) from
  (select target_id from article_category where source_id = article.id order by position))`
const filterTexts: Readonly<Record<ListFilter, string>> = {
  featured: 'featured = 1 and instr(title, ?) > 0',
  author: 'author_id in (select id from author where name = ?)',
  category: `article.id in (select source_id from article_category
    join category on category.id = target_id where category.slug = ?)`,
}

const readText = `select ${articleColumns}, author_id, ${categoryIds} from article where id = ?`
const listText = (order: ListOrder) => `select ${articleColumns}, author_id, ${categoryIds}
  from (select id as picked from article order by ${orderTexts[order]} limit ? offset ?)
  cross join article on id = picked order by ${orderTexts[order]}`
const populatedText = `select ${articleColumns}, ${authorColumns}
  from (select id as picked from article order by ${orderTexts.newest} limit ? offset ?)
  cross join article on article.id = picked
  left join author on author.id = article.author_id order by article.created_at desc, article.id`
const categoriesText = `select source_id, id, name, slug, created_at, updated_at
  from article_category join category on id = target_id
  where source_id in (select value from json_each(?)) order by source_id, position`
const filteredText = (filter: ListFilter) => `select ${articleColumns}, author_id, ${categoryIds}
  from (select id as picked from article where ${filterTexts[filter]}
    order by ${orderTexts[orderOfFilter(filter)]} limit ?)
  cross join article on id = picked order by ${orderTexts[orderOfFilter(filter)]}`
const countFilteredText = (filter: ListFilter) => `select count(*) from article where ${filterTexts[filter]}`
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
  const lists = byName(listOrders, (order) =>
    database.prepare<[number, number], EntryRow>(listText(order)).raw(),
  )
  const populated = database.prepare<[number, number], [...ArticleRow, ...AuthorRow]>(populatedText).raw()
  const categories = database.prepare<[string], CategoryRow>(categoriesText).raw()
  const filtered = byName(listFilters, (filter) =>
    database.prepare<[string, number], EntryRow>(filteredText(filter)).raw(),
  )
  const count = database.prepare<[], number>('select count(*) from article').pluck()
  const countFiltered = byName(listFilters, (filter) =>
    database.prepare<[string], number>(countFilteredText(filter)).pluck(),
  )
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
    listArticles: ({ order, limit, offset }) => ({
      articles: lists[order].all(limit, offset).map(toEntry),
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
    listFiltered: (filter, value, limit) => ({
      articles: filtered[filter].all(value, limit).map(toEntry),
      total: countFiltered[filter].get(value) ?? 0,
    }),
    createArticle: (input) => insertArticle.immediate(input),
  }
}
