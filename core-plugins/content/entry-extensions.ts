import type { SQL } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint } from '../../kernel/index.ts'
import type { ColumnKind, Queries, Transaction } from '../database/database.ts'
import type { ErrorDetail } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { Awaitable } from './awaitable.ts'
import type { PayloadReference } from './payload/report.ts'

/*
 * What other plugins can add to entries besides middleware: columns, parameters of reads, a search, and locks.
 */

/** A column that a plugin has added to the table of a type (see `contentTables`), and that its stages fill. */
export interface EntryColumn {
  readonly column: string
  readonly kind: ColumnKind
  /** The field that it is shown as, and that errors name. Payloads may hold the field, but it is ignored. */
  readonly field: string
  /** False: entries do not show it, and nobody can ask for it. */
  readonly isShown: boolean
}

/** The columns that a plugin adds to a type; none for types that it does not care about. */
export type EntryColumns = (type: ContentType) => readonly EntryColumn[]

/** Contribute in `register`. Tables hold them nullable: rows may be older than the plugin. */
export const entryColumns: ExtensionPoint<EntryColumns> = extensionPoint('entryColumns')

/**
 * What is read: the entries of a list, the one with an id, or that of a single type. `put`: the entry of a single type
 * that a write is about.
 */
export type ReadPlace = 'list' | 'find' | 'single' | 'put'

export interface ParameterRequest {
  readonly type: ContentType
  readonly place: ReadPlace
  /** As they were sent; a write of a single type takes those that the query does not have from the payload. */
  readonly values: Readonly<Record<string, string | undefined>>
  /** For what is wrong with them. */
  readonly problems: ErrorDetail[]
}

/** Query parameters of a plugin's own that narrow which entries a read is about. */
export interface EntryParameters {
  /** By name, with their schemas for the API document. */
  readonly parameters: Readonly<Record<string, TSchema>>
  /** Whether reads of a type take them. */
  matches(type: ContentType): boolean
  /** Asked once per query string (see `Content.forgetQueries`). Undefined: all entries. */
  restrict(request: ParameterRequest): Restriction | undefined
}

/** Contribute in `register` or `init`. */
export const entryParameters: ExtensionPoint<EntryParameters> = extensionPoint('entryParameters')

/** The schemas of the query parameters that plugins add to reads of a type, by name. */
export type AddedParameters = (type: ContentType) => Readonly<Record<string, TSchema>>

/** `contributed` is asked whenever a document is made. */
export function createAddedParameters(contributed: () => readonly EntryParameters[]): AddedParameters {
  return (type) =>
    Object.assign({}, ...contributed().flatMap((each) => (each.matches(type) ? [each.parameters] : [])))
}

/**
 * Finds the entries of lists by words, where `search` names no fields: in place of content's own search, which looks for
 * parts of words in every text and so reads every entry.
 */
export interface EntrySearch {
  matches(type: ContentType): boolean
  /** Asked once per query string (see `Content.forgetQueries`). Undefined: all entries. */
  restrict(request: SearchedText): Restriction | undefined
}

export interface SearchedText {
  readonly type: ContentType
  readonly text: string
  /** For what is wrong with it. */
  readonly problems: ErrorDetail[]
}

/** Contribute in `register` or `init`; the first one that matches a type is asked. */
export const entrySearches: ExtensionPoint<EntrySearch> = extensionPoint('entrySearches')

/** A condition on entries, in SQL. */
export interface Restriction {
  /** Equal where the SQL is. */
  readonly shape: string
  readonly values: readonly { readonly kind: ColumnKind; readonly value: unknown }[]
  where(entry: RestrictedEntry): SQL
  /** Whether it may take the database long (see `StatementOptions`). */
  readonly isCostly?: boolean
  /** A find is not about the entry with the id, but about those that have the same in this column. */
  readonly sharing?: string
}

/** The entry that a restriction is about, or another one of its type. */
export interface RestrictedEntry {
  column(name: string): SQL
  /** One of the restriction's values by its place. */
  value(index: number): SQL
  /** Holds where some entry that the read may show satisfies a condition. */
  exists(condition: (other: RestrictedEntry) => SQL): SQL
}

/** Locks what the stages of a plugin are going to need, so that all writers take it in the same order. */
export interface EntryLock {
  matches(type: ContentType): boolean
  /** Called before the entries of a write are read and locked; some of the ids may name nothing. */
  lock(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void>
}

/** Contribute in `register` or `init`. */
export const entryLocks: ExtensionPoint<EntryLock> = extensionPoint('entryLocks')

/** Judges the entries of one type that payloads name, where what a field takes depends on more than their being there. */
export interface ReferenceJudge {
  /** The type of the entries. */
  readonly target: string
  /** What is wrong; of ids that name nothing others tell. */
  judge(references: readonly PayloadReference[], queries: Queries): Awaitable<readonly ErrorDetail[]>
}

/** Contribute in `register` or `init`. */
export const referenceJudges: ExtensionPoint<ReferenceJudge> = extensionPoint('referenceJudges')
