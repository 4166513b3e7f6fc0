import { type Awaitable, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Downloads } from './imports/download.ts'

export { DownloadError, type Downloads } from './imports/download.ts'

/**
 * One entry to import. `data` is a JSON object with attributes as in REST, and optionally `uuid`, `locale`,
 * `localization_of`, `published_at`, `created_at` and `updated_at`. Relations are ids or natural keys, `{ "cca2": "CH" }`; see
 * docs/import-export.md.
 */
export interface ImportRecord {
  readonly data: unknown
  /** The singular name of its type; the import's type by default. */
  readonly type?: string | undefined
  /** The line that problems name; by default its position among the records, from 1. */
  readonly line?: number | undefined
  /** Its length as text, if known. Batches of long records have fewer records. */
  readonly characters?: number | undefined
  /** The reason why it could not be read; then it has no data. */
  readonly problem?: string | undefined
}

export interface ImportRequest {
  readonly records: AsyncIterable<ImportRecord>
  /** The singular name of the type of records that do not name one. */
  readonly type?: string | undefined
  /** The unique attribute by which existing entries are found: for all types, or by type. */
  readonly match?: string | Readonly<Record<string, string>> | undefined
  readonly principal: Principal
  /** Called before each transaction, for imports that run longer than the caller's request. */
  renewPrincipal?(): Awaitable<Principal>
  readonly ip?: string | undefined
  /** Publishes entries whose record has no publication time. */
  readonly publish?: boolean | undefined
  /**
   * `keep` (default): the UUIDs, times and publication in the records are kept, which requires the permission to publish.
   * `ignore`: entries are created as new drafts.
   */
  readonly state?: 'keep' | 'ignore' | undefined
  /** Stores nothing, and reports everything that would be refused. */
  readonly isTrial?: boolean | undefined
  /**
   * A named import continues where it was interrupted, if its records come in the same order again. A completed import
   * is not repeated: its report is returned until it is forgotten.
   */
  readonly name?: string | undefined
  /** The folder of the files that records name by path. Without it, paths are refused, or an import could read any file. */
  readonly mediaFolder?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each transaction. */
  onProgress?(progress: ImportCounts): void
}

export interface ImportCounts {
  /** The number of records that were read. */
  readonly records: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** The number of records that were refused. */
  readonly refused: number
}

export interface ImportReport extends ImportCounts {
  /** The problems of refused records; at most a thousand. */
  readonly problems: readonly ImportProblem[]
  /** The number of all problems. */
  readonly problemCount: number
}

export interface ImportProblem {
  readonly line: number
  readonly type: string
  /** The place within the record: `country`, `blocks.0.image`; empty for the whole record. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** Imports entries. */
export interface ImportService {
  /**
   * Stores records in transactions of some hundred. Problems are reported by line, and the other records are stored. A
   * record that refers to a later one waits for it. Entries that equal their record are not written.
   * @throws AppError 401, 403, 404, 400 if nothing can be imported at all; 409 if the named import is running in another process
   */
  importRecords(request: ImportRequest): Promise<ImportReport>
  /** The progress of an interrupted import; undefined if no such import exists. */
  unfinished(name: string): Promise<ImportCounts | undefined>
  /** Forgets a named import, so that the name can be used again. */
  forget(name: string): Promise<void>
}

/** Downloads files, from addresses that the settings allow. */
export const downloadsService: ServiceToken<Downloads> = service('import-downloads')

export const importService: ServiceToken<ImportService> = service('import')
