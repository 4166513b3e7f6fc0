import Database from 'better-sqlite3'
import type { FloorData } from './store.ts'

const tables = `
  create table author (
    id integer primary key autoincrement, name text not null, email text not null unique, bio text,
    created_at text not null, updated_at text not null);
  create table category (
    id integer primary key autoincrement, name text not null, slug text not null unique,
    created_at text not null, updated_at text not null);
  create table article (
    id integer primary key autoincrement, title text not null, slug text not null unique,
    featured integer not null, "rank" integer not null, body text not null,
    author_id integer references author (id) on delete set null,
    published_at text, created_at text not null, updated_at text not null);
  create index article_featured on article (featured);
  create index article_rank on article ("rank");
  create index article_author on article (author_id);
  create index article_published on article (published_at, id);
  create index article_created on article (created_at desc, id);
  create table article_category (
    source_id integer not null references article (id) on delete cascade,
    target_id integer not null references category (id) on delete cascade,
    position integer not null, primary key (source_id, target_id)) without rowid;
  create index article_category_target on article_category (target_id);`

export function openSqliteFile(path: string): Database.Database {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma(`mmap_size = ${2 ** 30}`)
  database.pragma('cache_size = -65536')
  return database
}

/** Creates the tables in a new file and fills them. */
export function fillSqlite(path: string, data: FloorData): void {
  const database = openSqliteFile(path)
  database.exec(tables)
  database.transaction(insertAll)(database, data)
  database.close()
}

function insertAll(database: Database.Database, data: FloorData): void {
  const author = database.prepare(
    'insert into author values (@id, @name, @email, @bio, @created_at, @updated_at)',
  )
  const category = database.prepare(
    'insert into category values (@id, @name, @slug, @created_at, @updated_at)',
  )
  const article = database.prepare(`insert into article values
    (@id, @title, @slug, @featured, @rank, @body, @author, @published_at, @created_at, @updated_at)`)
  const link = database.prepare('insert into article_category values (?, ?, ?)')
  for (const row of data.authors) author.run(row)
  for (const row of data.categories) category.run(row)
  for (const row of data.articles) {
    article.run({ ...row, featured: row.featured ? 1 : 0 })
    for (const [position, id] of row.categories.entries()) link.run(row.id, id, position)
  }
}
