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
  /** The names that lead to it in filters; of a field of the entry itself its name alone. */
  readonly path: readonly string[]
  /** What reading it weighs, for the budget of the answer; 0 for fields of the entry itself. */
  readonly weight: number
}

/** A field inside of entries, or why callers cannot name it. */
export interface FieldInside {
  readonly field?: EntryField
  readonly problem?: Pick<ErrorDetail, 'code' | 'message'>
  /** Types that the path leads through: callers who may not read all of them must not learn which fields there are. */
  readonly lookedInto: readonly string[]
}

/** Which entries a statement of a plugin is about, and for whom. */
export interface SelectionRequest {
  /** Singular name of the type. */
  readonly type: string
  /** `filters`, `published`, `search`, `searchFields`, `typos` and `deleted` have the same meaning as in a list. */
  readonly rawQuery: string | EntryQuery
  readonly principal: Principal
  /** Whom the selection is made for, if somebody observes the reads; see `observeReads`. */
  readonly recipient?: Recipient | undefined
  /** Other fields that the plugin reads: the caller must have read access to the types they refer to. */
  readonly fields?: readonly EntryField[]
  /** Other types that the caller must be allowed to read, because a parameter of the plugin looks into them. */
  readonly lookedInto?: readonly string[]
  /** Names of the parameters that the plugin reads itself, whatever lists mean by them; all others are refused. */
  readonly ownParameters: readonly string[]
  /** Whether the query may have `populate`; it is checked as that of a list. */
  readonly populates?: boolean | undefined
  /** Problems that the plugin found in them, reported together with all others. */
  readonly problems?: readonly ErrorDetail[]
  /** The path of a field: leaves out what `filters` asks of it, outside of groups such as `$or`. */
  readonly withoutFilterOn?: readonly string[] | undefined
}

/** Entries of one type that a caller may see. */
export interface EntrySelection {
  /** Equal if and only if the SQL is equal: a statement made for one selection can be reused for others. */
  readonly key: string
  /** Values to bind, in addition to the plugin's own, whose names must not start with `v` or `n`. */
  readonly values: Values
  /** Reads those of its values that are only known once they are read, such as the words that a search with `typos` may mean. */
  readonly readValues?: ((recipient?: Recipient) => Promise<Values>) | undefined
  /** What its conditions weigh, for the budget of the answer (see `ContentQueries.answerBudget`). */
  readonly weight: number
  sql(): SelectionSql
}

/** The parts of a statement over a selection. */
export interface SelectionSql {
  /** A table; `links` joins others to it. */
  readonly from: SQL
  /** True for the entries of the selection. */
  readonly where: SQL
  /**
   * The value of a field with place `value`, or the id for place `reference`; null if the caller may not see
   * it.
   */
  value(field: EntryField): SQL
  /**
   * For a field with place `reference`: the id as it is stored, which callers must not see, and a join that adds what they see of
   * it. Where many entries refer to few, those are looked up faster once the entries are grouped.
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
  /** For a field with place `inside`, which must be among the `fields` of the request. */
  inside(field: EntryField): ValuesInside
}

/** Rows with the values of entries; those of an entry may repeat themselves. */
export interface ValuesInside {
  /** The id of the entry. */
  readonly entry: SQL
  readonly join: SQL
  /** One column; of values in JSON texts, numbers and booleans, of which no more than one is not null. */
  readonly columns: readonly { readonly value: SQL; readonly kind: ColumnKind }[]
  /** Set if an entry may have several rows: leaves out those without a value, unless the entry has no value at all. */
  readonly where: SQL | undefined
}
