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
  /** The field it is shown as and that errors name. Payloads may contain the field, but it is ignored. */
  readonly field: string
  /** False: entries do not show it, and queries cannot name it. */
  readonly isShown: boolean
}

/** The columns that a plugin adds to a type; empty for types it does not extend. */
export type EntryColumns = (type: ContentType) => readonly EntryColumn[]

/** Contribute in `register`. The columns are nullable, because rows may be older than the plugin. */
export const entryColumns: ExtensionPoint<EntryColumns> = extensionPoint('entryColumns')

/**
 * What is read: the entries of a list, the one with an id, or that of a single type. `put`: the entry of a
 * single type that a write concerns.
 */
export type ReadPlace = 'list' | 'find' | 'single' | 'put'

/** Query parameters of one read, as their plugin gets them. */
export interface ParameterRequest {
  readonly type: ContentType
  readonly place: ReadPlace
  /** As sent; a write to a single type takes those missing from the query from the payload. */
  readonly values: Readonly<Record<string, string | undefined>>
  /** Collects problems with the values. */
  readonly problems: ErrorDetail[]
}

/** Query parameters that a plugin adds to restrict which entries a read covers. */
export interface EntryParameters {
  /** Schemas by name, for the API document. */
  readonly parameters: Readonly<Record<string, TSchema>>
  /** Whether reads of a type accept them. */
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
 * Which entry a read shows in the place of one that a relation leads to, such as the version in the language of the
 * read. Entries that stand in for one another have the same value in a column.
 */
export interface StandIns {
  /** Schemas by name, for the API document. */
  readonly parameters: Readonly<Record<string, TSchema>>
  /** Whether reads of a type accept them, because such relations can be populated in it. */
  matches(type: ContentType): boolean
  /** Called once per query string (see `ContentQueries.forgetQueries`). Entries of other types are shown themselves. */
  choose(request: ParameterRequest): readonly StandInChoice[]
}

/** The entries of some types that stand in for others. */
export interface StandInChoice {
  matches(type: ContentType): boolean
  /** True for one of those that share the value of a column and are visible to the read. */
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

/** What a list is searched for, as its query says. */
export interface SearchedText {
  readonly type: ContentType
  /** Never blank. */
  readonly text: string
  /** Whether words with typing errors are to be found. */
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
  /** Equal if and only if the SQL is equal. */
  readonly shape: string
  readonly values: readonly { readonly kind: ColumnKind; readonly value: unknown }[]
  where(entry: RestrictedEntry): SQL
  /**
   * Set if the values have to be read from the database: called before each read, for values of the same kinds that take the
   * place of `values`. For the restrictions of searches.
   */
  readonly readValues?: (recipient: Recipient | undefined) => Promise<readonly unknown[]>
  /** Whether it may take the database a long time (see `StatementOptions`). */
  readonly isCostly?: boolean
  /**
   * The fields that it looks at: caches then know which changes concern it. Without it, any change of the type does.
   * `test` tells whether an entry satisfies it; it is missing if that depends on other entries.
   */
  readonly reads?: {
    readonly fields: readonly string[]
    readonly test?: (image: Image) => boolean | undefined
  }
  /** What else it depends on: a name under which changes of it are noted in the change log. */
  readonly dependsOn?: string
  /** A find then covers not the entry with the id, but those that share its value in this column. */
  readonly sharing?: string
}

/** The entry that a restriction applies to, or another one of its type. */
export interface RestrictedEntry {
  column(name: string): SQL
  /** One of the restriction's values, by index. */
  value(index: number): SQL
  /** True where some entry visible to the read satisfies a condition. */
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
