import { type Connection, createConnection } from 'mysql2/promise'
import { batches } from '../batches.ts'
import { type FloorArticle, type FloorData, linksOf } from './store.ts'

const text = 'varchar(255) character set utf8mb4 collate utf8mb4_bin'

const tables = [
  `create table author (
    id int auto_increment primary key, name ${text} not null, email ${text} not null unique,
    bio longtext, created_at datetime(3) not null, updated_at datetime(3) not null)`,
  `create table category (
    id int auto_increment primary key, name ${text} not null, slug ${text} not null unique,
    created_at datetime(3) not null, updated_at datetime(3) not null)`,
  `create table article (
    id int auto_increment primary key, title ${text} not null, slug ${text} not null unique,
    featured boolean not null, \`rank\` int not null, body longtext not null,
    author_id int, published_at datetime(3), created_at datetime(3) not null, updated_at datetime(3) not null,
    index (featured), index (\`rank\`), index (published_at, id), index (created_at desc, id), foreign key (author_id) references author (id) on delete set null)`,
  `create table article_category (
    source_id int not null, target_id int not null, position int not null, primary key (source_id, target_id),
    foreign key (source_id) references article (id) on delete cascade,
    foreign key (target_id) references category (id) on delete cascade)`,
]

const batchSize = 500

async function insertRows(
  connection: Connection,
  statement: string,
  rows: Iterable<readonly unknown[]>,
): Promise<void> {
  for (const batch of batches(rows, batchSize)) await connection.query(statement, [batch])
}

const stamps = (row: { created_at: string | Date; updated_at: string | Date }): Date[] => [
  new Date(row.created_at),
  new Date(row.updated_at),
]

/** Creates the tables in an empty database and fills them. */
export async function fillMysql(url: string, data: FloorData): Promise<void> {
  const connection = await createConnection({ uri: url, timezone: 'Z' })
  for (const table of tables) await connection.query(table)
  await insertRows(
    connection,
    'insert into author (id, name, email, bio, created_at, updated_at) values ?',
    data.authors.map((row) => [row.id, row.name, row.email, row.bio, ...stamps(row)]),
  )
  await insertRows(
    connection,
    'insert into category (id, name, slug, created_at, updated_at) values ?',
    data.categories.map((row) => [row.id, row.name, row.slug, ...stamps(row)]),
  )
  for (const articles of batches(data.articles, batchSize)) await insertArticles(connection, articles)
  await connection.end()
}

async function insertArticles(connection: Connection, articles: readonly FloorArticle[]): Promise<void> {
  await connection.query(
    `insert into article
      (id, title, slug, featured, \`rank\`, body, author_id, published_at, created_at, updated_at) values ?`,
    [
      articles.map((row) => [
        ...[row.id, row.title, row.slug, row.featured, row.rank, row.body, row.author],
        ...[row.published_at === null ? null : new Date(row.published_at), ...stamps(row)],
      ]),
    ],
  )
  const links = articles.flatMap(linksOf)
  await connection.query('insert into article_category (source_id, target_id, position) values ?', [
    links.map(({ source_id, target_id, position }) => [source_id, target_id, position]),
  ])
}
