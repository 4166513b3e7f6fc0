import type { SQL } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { ColumnKind, Queries, Recipient, Transaction } from '../../../foundation/database/database.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { PayloadReference } from '../payload/report.ts'
import type { Image } from '../read-observer.ts'

/*
 * Extension points for entries other than middleware: columns, read parameters, search and locks.
 */

/** A column that a plugin has added to the table of a type (see `contentTables`) and that its stages fill. */
export interface EntryColumn {
  readonly column: string
  readonly kind: ColumnKind
  /** The field under which entries show it and errors name it. Payloads may contain the field, but it is ignored. */
  readonly field: string
  /** False: entries do not show it, and queries cannot name it. */
  readonly isShown: boolean
}

/** The columns that a plugin adds to a type; empty for types it does not extend. */
export type EntryColumns = (type: ContentType) => readonly EntryColumn[]

/** Contribute in `register`. The columns are nullable, because rows may be older than the plugin. */
export const entryColumns: ExtensionPoint<EntryColumns> = extensionPoint('entryColumns')

/**
 * What a read covers: a list, the entry with an id, or the entry of a single type. `put`: the entry of a single type that a write
 * creates or updates.
 */
export type ReadPlace = 'list' | 'find' | 'single' | 'put'

/** The query parameters of one read, as passed to the plugin that added them. */
export interface ParameterRequest {
  readonly type: ContentType
  readonly place: ReadPlace
  /** As sent; a write to a single type takes parameters missing from the query from the payload. */
  readonly values: Readonly<Record<string, string | undefined>>
  /** Collects problems with the values. */
  readonly problems: ErrorDetail[]
}

/** Query parameters that a plugin adds to restrict which entries a read covers. */
export interface EntryParameters {
  /** Schemas by name, for the API document. */
  readonly parameters: Readonly<Record<string, TSchema>>
  /** Whether reads of a type accept the parameters. */
  matches(type: ContentType): boolean
  /** Called once per query string (see `ContentQueries.forgetQueries`). Undefined: all entries. */
  restrict(request: ParameterRequest): Restriction | undefined
}

/** Contribute in `register` or `init`. */
export const entryParameters: ExtensionPoint<EntryParameters> = extensionPoint('entryParameters')

/** The schemas of the query parameters that plugins add to reads of a type, by name. */
export type AddedParameters = (type: ContentType) => Readonly<Record<string, TSchema>>

/** `contributed` is called whenever a document is generated. */
export function createAddedParameters(
  contributed: () => readonly Pick<EntryParameters, 'parameters' | 'matches'>[],
): AddedParameters {
  return (type) =>
    Object.assign({}, ...contributed().flatMap((each) => (each.matches(type) ? [each.parameters] : [])))
}

/**
 * Which entry a read shows instead of the one that a relation refers to, such as its version in the language of the read. Entries
 * that stand in for one another have the same value in a column.
 */
export interface StandIns {
  /** Schemas by name, for the API document. */
  readonly parameters: Readonly<Record<string, TSchema>>
  /** Whether reads of a type accept the parameters, because they can populate such relations. */
  matches(type: ContentType): boolean
  /**
   * Called once per query string (see `ContentQueries.forgetQueries`). Entries of types without a choice are shown themselves.
   */
  choose(request: ParameterRequest): readonly StandInChoice[]
}

/** The entries of some types that stand in for others. */
export interface StandInChoice {
  matches(type: ContentType): boolean
  /** Selects the entry to show among those that have the same value in the column `sharing` and are visible to the read. */
  readonly restriction: Restriction & { readonly sharing: string }
}

/** Contribute in `register` or `init`. */
export const standIns: ExtensionPoint<StandIns> = extensionPoint('standIns')

/**
 * Full-text search for lists whose `search` names no fields. Replaces content's own search, which looks for
 * substrings in every text and therefore scans every entry.
 */
export interface EntrySearch {
  matches(type: ContentType): boolean
  /**
   * Called once per query string that searches for something (see `ContentQueries.forgetQueries`). Undefined: all entries.
   */
  restrict(request: SearchedText): Restriction | undefined
}

/** The search of a list, from its query. */
export interface SearchedText {
  readonly type: ContentType
  /** Never blank. */
  readonly text: string
  /** Whether the search should also find words with typing errors. */
  readonly typos: boolean
  /** The locale that the list is read in, as sent. */
  readonly locale: string | undefined
  /** Collects problems with the text. */
  readonly problems: ErrorDetail[]
}

/** Contribute in `register` or `init`; the first one that matches a type is used. */
export const entrySearches: ExtensionPoint<EntrySearch> = extensionPoint('entrySearches')

/** An SQL condition on entries. */
export interface Restriction {
  /** Two restrictions have the same shape if and only if their SQL is the same. */
  readonly shape: string
  readonly values: readonly { readonly kind: ColumnKind; readonly value: unknown }[]
  where(entry: RestrictedEntry): SQL
  /**
   * For searches whose values must be read from the database: called before each read; returns values of the same kinds, which
   * replace `values`.
   */
  readonly readValues?: (recipient: Recipient | undefined) => Promise<readonly unknown[]>
  /** Whether the database may need a long time for it (see `StatementOptions`). */
  readonly isCostly?: boolean
  /**
   * The fields that the condition depends on, so that caches know which changes affect it; if missing, any change of the type
   * does. `test` says whether an entry satisfies the condition; it is missing if that depends on other entries.
   */
  readonly reads?: {
    readonly fields: readonly string[]
    readonly test?: (image: Image) => boolean | undefined
  }
  /** Anything else that it depends on: the name under which the change log records changes of it. */
  readonly dependsOn?: string
  /**
   * If set, a find covers the entries that have the same value in this column as the entry with the id, instead of that entry.
   */
  readonly sharing?: string
}

/** The entry that a restriction applies to, or another one of its type. */
export interface RestrictedEntry {
  column(name: string): SQL
  /** One of the restriction's values, by index. */
  value(index: number): SQL
  /** True where an entry visible to the read satisfies the condition. */
  exists(condition: (other: RestrictedEntry) => SQL): SQL
}

/** Locks the rows that the stages of a plugin will need, so that all writers lock them in the same order. */
export interface EntryLock {
  matches(type: ContentType): boolean
  /** Called before the entries of a write are read and locked; some of the ids may not exist. */
  lock(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void>
}

/** Contribute in `register` or `init`. */
export const entryLocks: ExtensionPoint<EntryLock> = extensionPoint('entryLocks')

/**
 * Checks the entries of one type that payloads refer to, where a valid reference needs more than an existing
 * entry.
 */
export interface ReferenceCheck {
  /** Singular name of the referenced type. */
  readonly target: string
  /** Returns the problems. Ids that do not exist are reported elsewhere. */
  check(references: readonly PayloadReference[], queries: Queries): Awaitable<readonly ErrorDetail[]>
}

/** Contribute in `register` or `init`. */
export const referenceChecks: ExtensionPoint<ReferenceCheck> = extensionPoint('referenceChecks')
