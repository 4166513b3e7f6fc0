import type { SQLWrapper } from 'drizzle-orm'
import type { TableColumn, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Attribute, ContentType } from '../../foundation/schemas/schemas.ts'
import type { Entry, PendingDraft } from '../content/content.ts'

/** What an index is about: the places where entries name things of one kind. */
export interface UsageKind<Place> {
  /** Names of the stage and the job begin with it: `media`. */
  readonly name: string
  /** A row for each place; what `defineTable` has returned. */
  readonly table: UsageTable
  /** The fields of a type that may name some, at any depth; none if it keeps none. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** Every place in an entry and in its pending draft. */
  placesIn(type: ContentType, entry: Entry, draft: PendingDraft | undefined): readonly Place[]
  /** Equal for equal places. */
  keyOf(place: Place): string
  /** Writes rows for entries that have none. */
  insert(named: readonly NamedIn<Place>[], tx: Transaction): Promise<void>
  /** For things that entries may name although they are gone. */
  readonly vanished?: Vanished<Place>
  /** On whose behalf the job reads and mends entries. */
  readonly itself: Principal
  /** The schemas that the index was made for, so that a start knows whether it is still complete. */
  readonly fingerprint: { get(): Promise<string | undefined>; set(fingerprint: string): Promise<void> }
}

export type UsageTable = SQLWrapper & {
  readonly name: string
  readonly columns: { readonly type: TableColumn<string>; readonly entryId: TableColumn<number> }
}

/** What an entry names, with its draft. */
export interface NamedIn<Place> {
  /** Its content type. */
  readonly type: string
  readonly entryId: number
  readonly places: readonly Place[]
}

/** Takes what is gone out of entries that come back from the trash, or that are indexed again. */
export interface Vanished<Place> {
  /** The ids that places name and that are gone. */
  among(places: readonly Place[], tx: Transaction): Promise<ReadonlySet<number>>
  /** Undefined for a place that may go on naming what is gone. */
  idIn(place: Place): number | undefined
  /** The fields of an entry that change without them, with their new values. */
  without(type: ContentType, entry: Entry, ids: ReadonlySet<number>): Record<string, unknown>
}
