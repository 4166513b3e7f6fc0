import type { SQLWrapper } from 'drizzle-orm'
import type { TableColumn, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Attribute, ContentType } from '../../foundation/schemas/schemas.ts'
import type { Entry, PendingDraft } from '../content/content.ts'

/** The definition of an index: the places where entries refer to things of one kind. */
export interface UsageKind<Place> {
  /** The prefix of the names of the stage and the job: `media`. */
  readonly name: string
  /** The table with a row for each place, as returned by `defineTable`. */
  readonly table: UsageTable
  /** The fields of a type that may contain references, at any depth; empty if the type has none. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** Every place in an entry and in its pending draft. */
  placesIn(type: ContentType, entry: Entry, draft: PendingDraft | undefined): readonly Place[]
  /** Equal for equal places. */
  keyOf(place: Place): string
  /** Writes rows for entries that have none yet. */
  insert(named: readonly NamedIn<Place>[], tx: Transaction): Promise<void>
  /** For things that can be deleted while entries still refer to them. */
  readonly vanished?: Vanished<Place>
  /** The principal with which the job reads and repairs entries. */
  readonly itself: Principal
  /** The schemas that the index was built for, so that a start can tell whether it is still complete. */
  readonly fingerprint: { get(): Promise<string | undefined>; set(fingerprint: string): Promise<void> }
}

export type UsageTable = SQLWrapper & {
  readonly name: string
  readonly columns: { readonly type: TableColumn<string>; readonly entryId: TableColumn<number> }
}

/** The places of an entry and its draft. */
export interface NamedIn<Place> {
  /** The entry's content type. */
  readonly type: string
  readonly entryId: number
  readonly places: readonly Place[]
}

/** Removes references to things that are gone from entries that are restored from the trash or indexed again. */
export interface Vanished<Place> {
  /** The ids in the places whose things are gone. */
  among(places: readonly Place[], tx: Transaction): Promise<ReadonlySet<number>>
  /** The referenced id; undefined for a place that may keep references to things that are gone. */
  idIn(place: Place): number | undefined
  /** The fields of an entry that change when these ids are removed, with their new values. */
  without(type: ContentType, entry: Entry, ids: ReadonlySet<number>): Record<string, unknown>
}
