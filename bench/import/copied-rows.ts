import type { DialectName } from '../../core-plugins/foundation/database/database.ts'

/** As many as an import stores in one transaction. */
export const recordsAtOnce = 500

/** A table of the service, and which of its rows belong to articles with ids within a range. */
export interface FloorTable {
  readonly name: string
  rowsOf(first: number, last: number): string
}

const ofArticle = (first: number, last: number) =>
  `type = 'article' and entry_id between ${first} and ${last}`

const namesOf = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `'article:${first + index}'`).join()

/** What an import cannot do without: the entries, their links, the search index and the log of changes. */
export const leastTables: readonly FloorTable[] = [
  { name: 'content_article', rowsOf: (first, last) => `id between ${first} and ${last}` },
  { name: 'link_article_categories', rowsOf: (first, last) => `source_id between ${first} and ${last}` },
  { name: 'svc_search_documents', rowsOf: ofArticle },
  { name: 'svc_changes', rowsOf: ofArticle },
]

/** And what the service writes besides. */
export const writtenTables: readonly FloorTable[] = [
  ...leastTables,
  { name: 'svc_revisions', rowsOf: ofArticle },
  { name: 'svc_audit_logs', rowsOf: (first, last) => `resource in (${namesOf(first, last)})` },
]

/** Rows of one table, as the driver inserts them. */
export interface CopiedRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Rows of one database that are inserted into another. */
export interface Copy {
  read(
    tables: readonly FloorTable[],
    first: number,
    last: number,
  ): readonly CopiedRows[] | Promise<readonly CopiedRows[]>
  /** In one transaction. */
  insert(batch: readonly CopiedRows[]): void | Promise<void>
  close(): void | Promise<void>
}

/** A name in SQL. */
export const quoted = (name: string, dialect: DialectName) =>
  dialect === 'mysql' ? `\`${name}\`` : `"${name}"`
