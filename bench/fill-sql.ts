import postgres from 'postgres'
import { authorCount, categoryCount, rankCount } from './data.ts'
import type { BenchOptions } from './options.ts'

/**
 * Writes articles straight into the tables of the service, which takes a minute for a million.
 * @throws Error on another database than PostgreSQL
 */
export async function insertArticles({ database, rows }: BenchOptions, url: string): Promise<void> {
  if (database !== 'postgres') throw new Error('more than 100000 rows need --db postgres')
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`
      insert into content_article (title, slug, featured, "rank", body, author_id, created_at, updated_at)
      select 'Article ' || number, 'article-' || number, number % 10 = 0, number::bigint * 7919 % ${rankCount}::integer,
        repeat(md5(number::text), 64), 1 + number % ${authorCount}::integer, now(), now()
      from generate_series(1, ${rows}::integer) as number`
    await sql`
      insert into link_article_categories (source_id, target_id, position)
      select id, 1 + id % ${categoryCount}::integer, 0 from content_article`
  } finally {
    await sql.end()
  }
}
