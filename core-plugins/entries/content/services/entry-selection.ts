import type { SQL } from 'drizzle-orm'
import type { ColumnKind, Recipient, Values } from '../../../foundation/database/database.ts'
import type { ErrorDetail, Principal } from '../../../foundation/http/http.ts'
import type { EntryQuery } from '../entry-query.ts'

/** A field of a type that callers may name. */
export interface EntryField {
  /** The name the API shows, not the alias that was used. */
  readonly name: string
  /**
   * `value`: one value of kind `kind`; `reference`: the id in a to-one relation or single media; `links`: the
   * ids of an owning to-many relation or several media; `inverse`: the other side of a relation; `inside`: the values in
   * components, zones, JSON or related entries, see `ContentQueries.fieldInside`.
   */
  readonly place: 'value' | 'reference' | 'links' | 'inverse' | 'inside'
  /** Values inside of `json` are texts, numbers and booleans. */
  readonly kind: ColumnKind
  /** The type it refers to, if any. */
  readonly target: string | undefined
  /** The names that filters use for it; for a field of the entry itself, just its name. */
  readonly path: readonly string[]
  /** The cost of reading it, for the budget of the answer; 0 for fields of the entry itself. */
  readonly weight: number
}

/** A field inside entries, or the reason why callers cannot name it. */
export interface FieldInside {
  readonly field?: EntryField
  readonly problem?: Pick<ErrorDetail, 'code' | 'message'>
  /** Types that the path passes through: callers who may not read all of them must not learn which fields exist. */
  readonly lookedInto: readonly string[]
}

/** The entries that a plugin's statement should cover, and the caller that it runs for. */
export interface SelectionRequest {
  /** Singular name of the type. */
  readonly type: string
  /** `filters`, `published`, `search`, `searchFields`, `typos` and `deleted` have the same meaning as in a list. */
  readonly rawQuery: string | EntryQuery
  readonly principal: Principal
  /** The recipient of the selection, whose reads may be observed; see `observeReads`. */
  readonly recipient?: Recipient | undefined
  /** Other fields that the plugin reads: the caller must have read access to the types they refer to. */
  readonly fields?: readonly EntryField[]
  /** Other types that the caller must be allowed to read, because a parameter of the plugin uses their entries. */
  readonly lookedInto?: readonly string[]
  /** Names of the parameters that the plugin reads itself, even if lists use them as well; all others are refused. */
  readonly ownParameters: readonly string[]
  /** Whether the query may contain `populate`; it is checked as in a list. */
  readonly populates?: boolean | undefined
  /** Problems that the plugin found in its own parameters, reported together with all others. */
  readonly problems?: readonly ErrorDetail[]
  /** The path of a field: `filters` on it are ignored, except inside groups such as `$or`. */
  readonly withoutFilterOn?: readonly string[] | undefined
}

/** Entries of one type that a caller may see. */
export interface EntrySelection {
  /** Equal if and only if the SQL is equal: a statement made for one selection can be reused for others. */
  readonly key: string
  /** Values to bind, in addition to the plugin's own, whose names must not start with `v` or `n`. */
  readonly values: Values
  /** Reads values that have to be looked up for each read, such as the words that a search with `typos` may mean. */
  readonly readValues?: ((recipient?: Recipient) => Promise<Values>) | undefined
  /** The weight of its conditions, for the budget of the answer (see `ContentQueries.answerBudget`). */
  readonly weight: number
  sql(): SelectionSql
}

/** The parts of a statement over a selection. */
export interface SelectionSql {
  /** A table; `links` joins others to it. */
  readonly from: SQL
  /** True for the entries of the selection. */
  readonly where: SQL
  /** The value of a field with place `value`, or the id for place `reference`; null if it is hidden from the caller. */
  value(field: EntryField): SQL
  /**
   * For a field with place `reference`: the stored id, which must not be shown to callers, and a join that adds the id as the
   * caller may see it. If many entries refer to few, looking those up after grouping is faster.
   */
  reference(field: EntryField): {
    readonly stored: SQL
    shown(stored: SQL): { readonly join: SQL; readonly id: SQL }
  }
  /** True where `filters[field][$notNull]=true` matches. */
  isSet(field: EntryField): SQL
  /**
   * For a field with place `links`: a join that yields one row per id, or one row without an id, and the id.
   */
  links(field: EntryField): { readonly join: SQL; readonly id: SQL }
  /** The values of a field with place `inside`, which must be among the `fields` of the request. */
  inside(field: EntryField): ValuesInside
}

/** Rows with the values inside entries; an entry's values may repeat. */
export interface ValuesInside {
  /** The id of the entry. */
  readonly entry: SQL
  readonly join: SQL
  /** One column; for values in JSON, one each for texts, numbers and booleans, of which at most one is not null. */
  readonly columns: readonly { readonly value: SQL; readonly kind: ColumnKind }[]
  /** Set if an entry may have several rows: omits rows without a value, unless the entry has no value at all. */
  readonly where: SQL | undefined
}
