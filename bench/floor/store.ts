import type { ArticleInput } from '../data.ts'

interface Stored {
  readonly id: number
  readonly created_at: string | Date
  readonly updated_at: string | Date
}

export interface Author extends Stored {
  readonly name: string
  readonly email: string
  readonly bio: string
}

export interface Category extends Stored {
  readonly name: string
  readonly slug: string
}

/** An article as the service returns it. Populated: objects instead of ids. */
export interface Article extends Stored {
  readonly title: string
  readonly slug: string
  readonly featured: boolean
  readonly rank: number
  readonly body: string
  readonly author: number | Author | null
  readonly categories: readonly (number | Category)[]
  readonly published_at: string | Date | null
}

export interface Page {
  readonly articles: readonly Article[]
  readonly total: number
}

export type Eventually<T> = T | Promise<T>

export type ListOrder = 'id' | 'newest' | 'title'
export type ListFilter = 'featured' | 'author' | 'category'

/** The orders of lists in SQL. */
export const orderTexts: Readonly<Record<ListOrder, string>> = {
  id: 'id desc',
  newest: 'created_at desc, id',
  title: 'title, id',
}

/** A part of a list in the order of `order`. */
export interface ListedPart {
  readonly order: ListOrder
  readonly limit: number
  readonly offset: number
}

/** The hand-written queries of one database. */
export interface FloorStore {
  readArticle(id: number): Eventually<Article | undefined>
  listArticles(part: ListedPart): Eventually<Page>
  /** Newest first, with the author and the categories as objects. */
  listPopulated(limit: number, offset: number): Eventually<Page>
  /**
   * The first matches. `featured`: articles with `value` in the title, highest id first; otherwise articles of the author with
   * that name, or of the category with that slug, newest first.
   */
  listFiltered(filter: ListFilter, value: string, limit: number): Eventually<Page>
  /** One transaction, durable when the promise resolves. */
  createArticle(input: ArticleInput): Eventually<Article>
}

/** An article with ids, as stored in the tables. */
export type FloorArticle = Article & ArticleInput

/** The content of the floor's tables: entries as the service returned them. */
export interface FloorData {
  readonly authors: readonly Author[]
  readonly categories: readonly Category[]
  /** Articles with ids in place of related entries. */
  readonly articles: Iterable<FloorArticle>
}

/** The categories of each article by the article's id. Rows come in the order wanted. */
export function groupBySource(rows: readonly (readonly [number, Category])[]): Map<number, Category[]> {
  const groups = new Map<number, Category[]>()
  for (const [source, category] of rows) {
    const group = groups.get(source)
    if (group === undefined) groups.set(source, [category])
    else group.push(category)
  }
  return groups
}

/** The links between an article and its categories. */
export function linksOf({ id, categories }: ArticleInput & { readonly id: number }) {
  return categories.map((target_id, position) => ({ source_id: id, target_id, position }))
}

export const listOrders: readonly ListOrder[] = ['id', 'newest', 'title']
export const listFilters: readonly ListFilter[] = ['featured', 'author', 'category']

/** `featured` is ordered by id, because its filter leaves few entries; the others by time. */
export const orderOfFilter = (filter: ListFilter): ListOrder => (filter === 'featured' ? 'id' : 'newest')
