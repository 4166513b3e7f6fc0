import type { DialectName } from '../../core-plugins/foundation/database/database.ts'

/** The number of records that an import stores in one transaction. */
export const recordsAtOnce = 500

/** A table of the service, and the condition for its rows that belong to articles in a range of ids. */
export interface FloorTable {
  readonly name: string
  rowsOf(first: number, last: number): string
}

const ofArticle = (first: number, last: number) =>
  `type = 'article' and entry_id between ${first} and ${last}`

const namesOf = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `'article:${first + index}'`).join()

/** The tables that an import must write: entries, links, the search index and the change log. */
export const leastTables: readonly FloorTable[] = [
  { name: 'content_article', rowsOf: (first, last) => `id between ${first} and ${last}` },
  { name: 'link_article_categories', rowsOf: (first, last) => `source_id between ${first} and ${last}` },
  { name: 'svc_search_documents', rowsOf: ofArticle },
  { name: 'svc_changes', rowsOf: ofArticle },
]

/** Further tables that the service writes. */
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
