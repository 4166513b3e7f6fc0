import postgres, { type ISql, type Sql } from 'postgres'
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

/** The smallest number that keeps the server busy: each connection costs processor time. */
const connectionCount = 4

const ids = 'array(select target_id from article_category where source_id = article.id order by position)'
const filterTexts: Readonly<Record<ListFilter, string>> = {
  featured: 'featured and position($1 in title) > 0',
  author: 'author_id in (select id from author where name = $1)',
  category: `id in (select source_id from article_category
    join category on category.id = target_id where category.slug = $1)`,
}

const readText = `select *, ${ids} as categories from article where id = $1`
// The page is selected first: otherwise the categories of the skipped rows would be read too.
const listTexts = byName(
  listOrders,
  (order: ListOrder) => `select *, ${ids} as categories from article
  where id = any (array(select id from article order by ${orderTexts[order]} limit $1 offset $2))
  order by ${orderTexts[order]}`,
)
const populatedText = `select article.*, name, email, bio,
    author.created_at as author_created_at, author.updated_at as author_updated_at
  from article left join author on author.id = article.author_id
  where article.id = any (array(select id from article order by ${orderTexts.newest} limit $1 offset $2))
  order by article.created_at desc, article.id`
const categoriesText = `select source_id, category.* from article_category join category on id = target_id
  where source_id = any ($1::integer[]) order by source_id, position`
const countText = 'select count(*)::integer as total from article'
const filteredTexts = byName(
  listFilters,
  (filter: ListFilter) => `select *, ${ids} as categories from article
  where id = any (array(select id from article where ${filterTexts[filter]}
    order by ${orderTexts[orderOfFilter(filter)]} limit $2)) order by ${orderTexts[orderOfFilter(filter)]}`,
)
const countFilteredTexts = byName(
  listFilters,
  (filter: ListFilter) => `select count(*)::integer as total from article where ${filterTexts[filter]}`,
)
const insertText = `insert into article (title, slug, featured, "rank", body, author_id, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7) returning id`
const linkText = `insert into article_category
  select $1::integer, id, number - 1 from unnest($2::integer[]) with ordinality as link (id, number)`

interface ArticleRow extends Omit<Article, 'author' | 'categories'> {
  readonly author_id: number | null
}

interface EntryRow extends ArticleRow {
  readonly categories: number[]
}

interface PopulatedRow extends ArticleRow {
  readonly name: string
  readonly email: string
  readonly bio: string
  readonly author_created_at: Date
  readonly author_updated_at: Date
}

interface CategoryRow extends Category {
  readonly source_id: number
}

function toArticle(row: ArticleRow, author: Article['author'], categories: Article['categories']): Article {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    featured: row.featured,
    rank: row.rank,
    body: row.body,
    author,
    categories,
    published_at: row.published_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

const toEntry = (row: EntryRow): Article => toArticle(row, row.author_id, row.categories)

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

type Value = string | number | boolean | Date | readonly number[]

/** Runs prepared: postgres.js keeps a statement per text on each connection. */
const run = <Row extends object>(sql: ISql, text: string, values: readonly Value[]): Promise<Row[]> =>
  sql.unsafe<Row[]>(text, values as never[], { prepare: true })

async function count(sql: Sql, text: string, values: readonly Value[]): Promise<number> {
  const [row] = await run<{ total: number }>(sql, text, values)
  return row?.total ?? 0
}

async function populate(sql: Sql, rows: readonly PopulatedRow[]): Promise<Article[]> {
  const linked = await run<CategoryRow>(sql, categoriesText, [rows.map((row) => row.id)])
  const groups = groupBySource(linked.map(toCategory))
  return rows.map((row) => toArticle(row, toAuthor(row), groups.get(row.id) ?? []))
}

async function insertArticle(sql: Sql, input: ArticleInput): Promise<Article> {
  const now = new Date()
  const { title, slug, featured, rank, body, author, categories } = input
  const id = await sql.begin(async (tx) => {
    const [row] = await run<{ id: number }>(tx, insertText, [title, slug, featured, rank, body, author, now])
    if (row === undefined) throw new Error('an insert answered no id')
    await run(tx, linkText, [row.id, categories])
    return row.id
  })
  return { id, ...input, published_at: null, created_at: now, updated_at: now }
}

/**
 * The floor on postgres.js: every statement prepared, and several clients of one connection each in turn, which
 * pipeline their queries (one client of several connections slows down once all of them are busy).
 */
export function openPostgres(url: string): FloorStore {
  const clients = Array.from({ length: connectionCount }, () => postgres(url, { max: 1 }))
  let turn = 0
  const nextClient = (): Sql => clients[turn++ % connectionCount] as Sql

  return {
    async readArticle(id) {
      const [row] = await run<EntryRow>(nextClient(), readText, [id])
      return row && toEntry(row)
    },
    async listArticles({ order, limit, offset }) {
      const sql = nextClient()
      const page = run<EntryRow>(sql, listTexts[order], [limit, offset])
      const [rows, total] = await Promise.all([page, count(sql, countText, [])])
      return { articles: rows.map(toEntry), total }
    },
    async listPopulated(limit, offset) {
      const sql = nextClient()
      const page = run<PopulatedRow>(sql, populatedText, [limit, offset])
      const [rows, total] = await Promise.all([page, count(sql, countText, [])])
      return { articles: await populate(sql, rows), total }
    },
    async listFiltered(filter, value, limit) {
      const sql = nextClient()
      const page = run<EntryRow>(sql, filteredTexts[filter], [value, limit])
      const [rows, total] = await Promise.all([page, count(sql, countFilteredTexts[filter], [value])])
      return { articles: rows.map(toEntry), total }
    },
    createArticle: (input) => insertArticle(nextClient(), input),
  }
}
