import type BetterSqlite from 'better-sqlite3'
import { openTemporaryDatabase } from '../temporary-database.ts'
import type { SiteAuthor, SiteItem, SiteTerm, TermName } from './site.ts'

/** The content of an export in a temporary file, where items can be looked up without being kept in memory. */
export interface SiteIndex {
  addItem(item: SiteItem): void
  /** Keeps the first term of a name, unless this one is a declaration (`isDeclared`), which is more complete. */
  addTerm(term: SiteTerm, isDeclared: boolean): void
  addAuthor(author: SiteAuthor, isDeclared: boolean): void
  finish(): void
  items(type: string): Iterable<SiteItem>
  item(id: number): SiteItem | undefined
  terms(taxonomy: string): Iterable<SiteTerm>
  countTerms(taxonomy: string): number
  hasTerm(name: TermName): boolean
  authors(): Iterable<SiteAuthor>
  countAuthors(): number
  /** Records the URL path of an attachment. */
  addFile(path: string, id: number): void
  /** The id of the attachment at a URL path. */
  fileAt(path: string): number | undefined
  close(): Promise<void>
}

const tables = `
  create table items (id integer primary key, type text, data text);
  create index items_by_type on items (type, id);
  create table terms (taxonomy text, slug text, declared integer, data text, primary key (taxonomy, slug));
  create table authors (login text primary key, declared integer, data text);
  create table files (path text primary key, id integer) without rowid;
`

/** All writes are one transaction until `finish`, because many small ones would take many times as long. */
export async function createSiteIndex(): Promise<SiteIndex> {
  const { database, close } = await openTemporaryDatabase(tables)
  database.exec('begin')
  return { ...writing(database), ...reading(database), close }
}

function writing(database: BetterSqlite.Database) {
  const addItem = database.prepare('insert or replace into items values (?, ?, ?)')
  const addTerm = database.prepare(
    `insert into terms values (?, ?, ?, ?)
     on conflict do update set declared = 1, data = excluded.data where excluded.declared > declared`,
  )
  const addAuthor = database.prepare(
    `insert into authors values (?, ?, ?)
     on conflict do update set declared = 1, data = excluded.data where excluded.declared > declared`,
  )
  const addFile = database.prepare('insert or ignore into files values (?, ?)')
  return {
    addItem: (item: SiteItem) => void addItem.run(item.id, item.type, JSON.stringify(item)),
    addTerm: (term: SiteTerm, isDeclared: boolean) =>
      void addTerm.run(term.taxonomy, term.slug, isDeclared ? 1 : 0, JSON.stringify(term)),
    addAuthor: (author: SiteAuthor, isDeclared: boolean) =>
      void addAuthor.run(author.login, isDeclared ? 1 : 0, JSON.stringify(author)),
    addFile: (path: string, id: number) => void addFile.run(path, id),
    finish: () => void database.exec('commit'),
  }
}

interface Stored {
  readonly data: string
}

function reading(database: BetterSqlite.Database) {
  const prepare = <Row>(text: string) => database.prepare<unknown[], Row>(text)
  const items = prepare<Stored>('select data from items where type = ? order by id')
  const item = prepare<Stored>('select data from items where id = ?')
  const terms = prepare<Stored>('select data from terms where taxonomy = ? order by slug')
  const countTerms = prepare<{ n: number }>('select count(*) n from terms where taxonomy = ?')
  const term = prepare('select 1 from terms where taxonomy = ? and slug = ?')
  const authors = prepare<Stored>('select data from authors order by login')
  const countAuthors = prepare<{ n: number }>('select count(*) n from authors')
  const file = prepare<{ id: number }>('select id from files where path = ?')
  return {
    *items(type: string): Generator<SiteItem> {
      for (const { data } of items.iterate(type)) yield JSON.parse(data)
    },
    item(id: number): SiteItem | undefined {
      const row = item.get(id)
      return row && JSON.parse(row.data)
    },
    *terms(taxonomy: string): Generator<SiteTerm> {
      for (const { data } of terms.iterate(taxonomy)) yield JSON.parse(data)
    },
    countTerms: (taxonomy: string) => countTerms.get(taxonomy)?.n ?? 0,
    hasTerm: ({ taxonomy, slug }: TermName) => term.get(taxonomy, slug) !== undefined,
    *authors(): Generator<SiteAuthor> {
      for (const { data } of authors.iterate()) yield JSON.parse(data)
    },
    countAuthors: () => countAuthors.get()?.n ?? 0,
    fileAt: (path: string) => file.get(path)?.id,
  }
}
