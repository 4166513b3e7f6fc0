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

/** An article as the service answers it. Populated: objects in the place of ids. */
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

/** The hand-written queries of one database. Lists have the newest article first. */
export interface FloorStore {
  readArticle(id: number): Eventually<Article | undefined>
  listArticles(limit: number, offset: number): Eventually<Page>
  /** With the author and the categories as objects. */
  listPopulated(limit: number, offset: number): Eventually<Page>
  /** The featured ones with `word` in the title. */
  listFeatured(word: string, limit: number): Eventually<Page>
  /** One transaction, durable when it answers. */
  createArticle(input: ArticleInput): Eventually<Article>
}

/** What the floor's tables are filled with: entries as the service answered them. */
export interface FloorData {
  readonly authors: readonly Author[]
  readonly categories: readonly Category[]
  /** Not populated. */
  readonly articles: readonly (Article & ArticleInput)[]
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
