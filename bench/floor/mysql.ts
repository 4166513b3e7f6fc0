import { createPool, type Pool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import type { ArticleInput } from '../data.ts'
import { byName } from './by-name.ts'
import {
  type Article,
  type Author,
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

const connectionCount = 10

const ids = `(select group_concat(target_id order by position) from article_category
  where source_id = article.id)`
const filterTexts: Readonly<Record<ListFilter, string>> = {
  featured: `featured and title like concat('%', ?, '%')`,
  author: 'author_id in (select id from author where name = ?)',
  category: `id in (select source_id from article_category
    join category on category.id = target_id where category.slug = ?)`,
}

/** The page is selected first: otherwise the categories of the skipped rows would be read too. */
const pageOf = (order: ListOrder, where = '', page = 'limit ? offset ?') =>
  `(select id as picked from article ${where} order by ${orderTexts[order]} ${page}) as page
  straight_join article on article.id = picked`

const readText = `select *, ${ids} as categories from article where id = ?`
const listTexts = byName(
  listOrders,
  (order) => `select article.*, ${ids} as categories from ${pageOf(order)} order by ${orderTexts[order]}`,
)
const populatedText = `select article.*, name, email, bio,
    author.created_at as author_created_at, author.updated_at as author_updated_at
  from ${pageOf('newest')} left join author on author.id = article.author_id
  order by article.created_at desc, article.id`
const countText = 'select count(*) as total from article'
const filteredTexts = byName(listFilters, (filter) => {
  const order = orderOfFilter(filter)
  const page = pageOf(order, `where ${filterTexts[filter]}`, 'limit ?')
  return `select article.*, ${ids} as categories from ${page} order by ${orderTexts[order]}`
})
const countFilteredTexts = byName(
  listFilters,
  (filter) => `select count(*) as total from article where ${filterTexts[filter]}`,
)
const insertText = `insert into article (title, slug, featured, \`rank\`, body, author_id, created_at, updated_at)
  values (?, ?, ?, ?, ?, ?, ?, ?)`

/** One text, and therefore one prepared statement, per number of items. */
const placeholders = (count: number, item: string): string => Array(count).fill(item).join(', ')
const categoriesText = (count: number): string =>
  `select source_id, category.* from article_category join category on id = target_id
  where source_id in (${placeholders(count, '?')}) order by source_id, position`
const linkText = (count: number): string =>
  `insert into article_category (source_id, target_id, position) values ${placeholders(count, '(?, ?, ?)')}`

interface ArticleRow extends RowDataPacket {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly featured: number
  readonly rank: number
  readonly body: string
  readonly author_id: number | null
  readonly published_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

interface EntryRow extends ArticleRow {
  readonly categories: string | null
}

interface PopulatedRow extends ArticleRow {
  readonly name: string
  readonly email: string
  readonly bio: string
  readonly author_created_at: Date
  readonly author_updated_at: Date
}

interface CategoryRow extends RowDataPacket, Category {
  readonly id: number
  readonly source_id: number
}

function toArticle(row: ArticleRow, author: Article['author'], categories: Article['categories']): Article {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    featured: row.featured === 1,
    rank: row.rank,
    body: row.body,
    author,
    categories,
    published_at: row.published_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

const toEntry = (row: EntryRow): Article =>
  toArticle(row, row.author_id, row.categories === null ? [] : row.categories.split(',').map(Number))

const toAuthor = (row: PopulatedRow): Author | null =>
  row.author_id === null
    ? null
    : {
        id: row.author_id,
        name: row.name,
        email: row.email,
        bio: row.bio,
        created_at: row.author_created_at,
        updated_at: row.author_updated_at,
      }

const toCategory = (row: CategoryRow): [number, Category] => [
  row.source_id,
  { id: row.id, name: row.name, slug: row.slug, created_at: row.created_at, updated_at: row.updated_at },
]

type Value = string | number | boolean | Date

async function run<Row extends RowDataPacket>(pool: Pool, text: string, values: Value[]): Promise<Row[]> {
  const [rows] = await pool.execute<Row[]>(text, values)
  return rows
}

async function count(pool: Pool, text: string, values: Value[]): Promise<number> {
  const [row] = await run<RowDataPacket & { total: number }>(pool, text, values)
  return row?.total ?? 0
}

async function populate(pool: Pool, rows: readonly PopulatedRow[]): Promise<Article[]> {
  if (rows.length === 0) return []
  const sources = rows.map((row) => row.id)
  const linked = await run<CategoryRow>(pool, categoriesText(sources.length), sources)
  const groups = groupBySource(linked.map(toCategory))
  return rows.map((row) => toArticle(row, toAuthor(row), groups.get(row.id) ?? []))
}

async function insertArticle(pool: Pool, input: ArticleInput): Promise<Article> {
  const now = new Date()
  const { title, slug, featured, rank, body, author, categories } = input
  const tx = await pool.getConnection()
  try {
    await tx.beginTransaction()
    const values = [title, slug, featured, rank, body, author, now, now]
    const [{ insertId: id }] = await tx.execute<ResultSetHeader>(insertText, values)
    const links = categories.flatMap((category, position) => [id, category, position])
    await tx.execute(linkText(categories.length), links)
    await tx.commit()
    return { id, ...input, published_at: null, created_at: now, updated_at: now }
  } catch (error) {
    await tx.rollback()
    throw error
  } finally {
    tx.release()
  }
}

/** The floor on mysql2: a pool, every statement prepared on the server. */
export function openMysql(url: string): FloorStore {
  const pool = createPool({ uri: url, timezone: 'Z', connectionLimit: connectionCount })
  return {
    async readArticle(id) {
      const [row] = await run<EntryRow>(pool, readText, [id])
      return row && toEntry(row)
    },
    async listArticles({ order, limit, offset }) {
      const page = run<EntryRow>(pool, listTexts[order], [limit, offset])
      const [rows, total] = await Promise.all([page, count(pool, countText, [])])
      return { articles: rows.map(toEntry), total }
    },
    async listPopulated(limit, offset) {
      const page = run<PopulatedRow>(pool, populatedText, [limit, offset])
      const [rows, total] = await Promise.all([page, count(pool, countText, [])])
      return { articles: await populate(pool, rows), total }
    },
    async listFiltered(filter, value, limit) {
      const page = run<EntryRow>(pool, filteredTexts[filter], [value, limit])
      const [rows, total] = await Promise.all([page, count(pool, countFilteredTexts[filter], [value])])
      return { articles: rows.map(toEntry), total }
    },
    createArticle: (input) => insertArticle(pool, input),
  }
}
