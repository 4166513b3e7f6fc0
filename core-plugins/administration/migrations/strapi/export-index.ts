import type BetterSqlite from 'better-sqlite3'
import { openTemporaryDatabase } from '../temporary-database.ts'
import type { StrapiLink, StrapiRow } from './export-rows.ts'

/** One row of an entity, with what identifies it. */
export interface IndexedRow extends StrapiRow {
  /** What all rows of the same entry share: locales, drafts and published versions. */
  readonly document: string
  readonly locale: string | null
}

/**
 * The entities and links of an export in a temporary file, where they can be looked up without being kept in memory. The
 * file is deleted with the process.
 */
export interface ExportIndex {
  /** Stores rows and links together; call `finish` after the last ones. */
  add(rows: readonly StrapiRow[], links: readonly StrapiLink[]): void
  finish(): void
  count(type: string): number
  /** The number of entries, counting each localisation. */
  countEntries(type: string): number
  typesWithRows(): string[]
  rowsOf(type: string): Iterable<IndexedRow>
  /** The rows of each entry of a type, entries in order of their first row. */
  entriesOf(type: string): Iterable<readonly IndexedRow[]>
  rowAt(type: string, id: number): IndexedRow | undefined
  linksOf(type: string, id: number, field: string): readonly { readonly type: string; readonly id: number }[]
  close(): Promise<void>
}

export async function createExportIndex(): Promise<ExportIndex> {
  const { database, close } = await openTemporaryDatabase(tables)
  return { ...writing(database), ...reading(database), close }
}

const tables = `
  create table entities (type text, id integer, document text, locale text, data text, primary key (type, id)) without rowid;
  create table links (owner_type text, owner_id integer, field text, position real, target_type text, target_id integer);
`

const indexes = `
  create index entities_by_document on entities (document);
  create index links_by_owner on links (owner_type, owner_id, field);
`

/** Strapi 4 has no documents: it links localisations, and the id of the first one serves as that of the document. */
const documentsOfLinks = `
  update entities set document = 'id:' || (
    select min(min(l.target_id), entities.id) from links l
    where l.owner_type = entities.type and l.owner_id = entities.id and l.field = 'localizations'
  ) where document = '' and exists (
    select 1 from links l where l.owner_type = entities.type and l.owner_id = entities.id and l.field = 'localizations'
  );
  update entities set document = 'id:' || id where document = '';
`

function writing(database: BetterSqlite.Database): Pick<ExportIndex, 'add' | 'finish'> {
  const addRow = database.prepare('insert or replace into entities values (?, ?, ?, ?, ?)')
  const addLink = database.prepare('insert into links values (?, ?, ?, ?, ?, ?)')
  return {
    add: database.transaction((rows: readonly StrapiRow[], links: readonly StrapiLink[]) => {
      for (const { type, id, data } of rows) {
        const { documentId, locale } = data
        const document = typeof documentId === 'string' ? documentId : ''
        addRow.run(type, id, document, typeof locale === 'string' ? locale : null, JSON.stringify(data))
      }
      for (const link of links) {
        addLink.run(link.ownerType, link.ownerId, link.field, link.position, link.targetType, link.targetId)
      }
    }),
    finish() {
      database.exec(indexes)
      database.exec(documentsOfLinks)
    },
  }
}

interface StoredRow {
  readonly type: string
  readonly id: number
  readonly document: string
  readonly locale: string | null
  readonly data: string
}

const parsed = ({ data, ...row }: StoredRow): IndexedRow => ({ ...row, data: JSON.parse(data) })

function reading(database: BetterSqlite.Database): Omit<ExportIndex, 'add' | 'finish' | 'close'> {
  const prepare = <Row>(text: string) => database.prepare<unknown[], Row>(text)
  const count = prepare<{ n: number }>('select count(*) n from entities where type = ?')
  const countEntries = prepare<{ n: number }>(
    'select count(*) n from (select distinct document, locale from entities where type = ?)',
  )
  const types = prepare<{ type: string }>('select distinct type from entities order by type')
  const rows = prepare<StoredRow>('select * from entities where type = ? order by id')
  const documents = prepare<{ document: string }>(
    'select document, min(id) first from entities where type = ? group by document order by first',
  )
  // The plus keeps SQLite from using the primary key, with which it would scan all rows of the type for each entry.
  const ofDocument = prepare<StoredRow>('select * from entities where document = ? and +type = ? order by id')
  const one = prepare<StoredRow>('select * from entities where type = ? and id = ?')
  const links = prepare<{ type: string; id: number }>(
    `select target_type type, target_id id from links where owner_type = ? and owner_id = ? and field = ?
     order by position, rowid`,
  )
  return {
    count: (type) => count.get(type)?.n ?? 0,
    countEntries: (type) => countEntries.get(type)?.n ?? 0,
    typesWithRows: () => types.all().map(({ type }) => type),
    *rowsOf(type) {
      for (const row of rows.iterate(type)) yield parsed(row)
    },
    *entriesOf(type) {
      for (const { document } of documents.iterate(type)) yield ofDocument.all(document, type).map(parsed)
    },
    rowAt(type, id) {
      const row = one.get(type, id)
      return row === undefined ? undefined : parsed(row)
    },
    linksOf: (type, id, field) => links.all(type, id, field),
  }
}
