import { type Database, insertMany } from '../core-plugins/foundation/database/database.ts'
import { batches } from './batches.ts'
import { articleInput } from './data.ts'
import { openServiceDatabase } from './database.ts'
import { type FloorArticle, linksOf } from './floor/store.ts'

const batchSize = 500

/** The time of the first article; each further one is a second newer. */
const firstMade = Date.UTC(2026, 0, 1)

/** Articles as the service would have created them, generated again on each iteration. */
export function madeArticles(rows: number): Iterable<FloorArticle> {
  return {
    *[Symbol.iterator]() {
      for (let id = 1; id <= rows; id += 1) {
        const made = new Date(firstMade + id * 1000).toISOString()
        yield { id, ...articleInput(id), published_at: null, created_at: made, updated_at: made }
      }
    },
  }
}

/** Writes articles straight into the empty tables of the service, which takes a minute for 200,000. */
export async function insertArticles(articles: Iterable<FloorArticle>, url: string): Promise<void> {
  const database = await openServiceDatabase(url)
  const insert = createInsert(database)
  for (const batch of batches(articles, batchSize)) await insert(batch)
  await database.close()
}

function createInsert(database: Database): (articles: readonly FloorArticle[]) => Promise<void> {
  const rows = insertMany<FloorArticle>(database, {
    table: 'content_article',
    columns: {
      title: { column: 'title', kind: 'string' },
      slug: { column: 'slug', kind: 'string' },
      featured: { column: 'featured', kind: 'boolean' },
      rank: { column: 'rank', kind: 'integer' },
      body: { column: 'body', kind: 'text' },
      author: { column: 'author_id', kind: 'reference' },
      created_at: { column: 'created_at', kind: 'datetime' },
      updated_at: { column: 'updated_at', kind: 'datetime' },
    },
  })
  const links = insertMany(database, {
    table: 'link_article_categories',
    columns: {
      source_id: { column: 'source_id', kind: 'reference' },
      target_id: { column: 'target_id', kind: 'reference' },
      position: { column: 'position', kind: 'integer' },
    },
  })
  return (articles) =>
    database.transaction(async (tx) => {
      await rows(articles, tx)
      await links(articles.flatMap(linksOf), tx)
    })
}
