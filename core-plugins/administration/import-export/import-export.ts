import { type Awaitable, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Downloads } from './imports/download.ts'

export { DownloadError, type Downloads } from './imports/download.ts'

/**
 * One entry to import. `data` is a JSON object with attributes as in REST, and beside them optionally `uuid`, `locale`,
 * `localization_of`, `published_at`, `created_at` and `updated_at`. Relations are ids or natural keys, `{ "cca2": "CH" }`; see
 * docs/import-export.md.
 */
export interface ImportRecord {
  readonly data: unknown
  /** Singular name of its type; default: that of the import. */
  readonly type?: string | undefined
  /** Where problems say that it stands; default: its place among the records, from 1. */
  readonly line?: number | undefined
  /** Its length as text, if known: long records make smaller transactions. */
  readonly characters?: number | undefined
  /** Why it could not be read; there is no data then. */
  readonly problem?: string | undefined
}

export interface ImportRequest {
  readonly records: AsyncIterable<ImportRecord>
  /** Singular name of the type of records that name none. */
  readonly type?: string | undefined
  /** The unique attribute by which entries are known that are there already; by type, or for all types alike. */
  readonly match?: string | Readonly<Record<string, string>> | undefined
  readonly principal: Principal
  /** Called before each transaction, for imports that outlive the request of their principal. */
  renewPrincipal?(): Awaitable<Principal>
  readonly ip?: string | undefined
  /** Entries whose record names no time are published now. */
  readonly publish?: boolean | undefined
  /**
   * `keep` (default): UUIDs, times and publication of the records are kept, which needs the permission to publish.
   * `ignore`: entries are new here, and drafts.
   */
  readonly state?: 'keep' | 'ignore' | undefined
  /** Stores nothing, and tells all that would be refused. */
  readonly isTrial?: boolean | undefined
  /**
   * An import with a name goes on where it was interrupted, provided that its records come in the same order again. One that
   * has ended is not repeated: its report is answered until it is forgotten.
   */
  readonly name?: string | undefined
  /** The folder of media that records name by a path; without it there are none, because whoever imports could read any file. */
  readonly mediaFolder?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each transaction. */
  onProgress?(progress: ImportCounts): void
}

export interface ImportCounts {
  /** How many were read. */
  readonly records: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** How many were left out because something is wrong with them. */
  readonly refused: number
}

export interface ImportReport extends ImportCounts {
  /** What is wrong with records that were left out; the first thousand. */
  readonly problems: readonly ImportProblem[]
  /** How many there are in all. */
  readonly problemCount: number
}

export interface ImportProblem {
  readonly line: number
  readonly type: string
  /** Within the record: `country`, `blocks.0.image`; empty for the record as a whole. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** Brings in entries from elsewhere. */
export interface ImportService {
  /**
   * Stores records in transactions of some hundred. What is wrong with a record is told by its line, and the others are stored. A
   * record that refers to one that comes later waits for it. What is stored as it is sent stays untouched.
   * @throws AppError 401, 403, 404, 400 where nothing can be imported at all; 409 where a named import runs elsewhere
   */
  importRecords(request: ImportRequest): Promise<ImportReport>
  /** How far an interrupted import has come; undefined if there is none of that name. */
  unfinished(name: string): Promise<ImportCounts | undefined>
  /** Forgets a named import, so that the name can be used again. */
  forget(name: string): Promise<void>
}

/** Fetches files of other services, from addresses that the settings allow. */
export const downloadsService: ServiceToken<Downloads> = service('import-downloads')

export const importService: ServiceToken<ImportService> = service('import')
