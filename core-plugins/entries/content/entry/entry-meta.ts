import type { SQL } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Queries } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { RestrictedEntry, Restriction } from './entry-extensions.ts'

/**
 * Something that a plugin knows about entries apart from their fields, such as the state of a workflow: reads
 * with `meta=true` show it in `_meta`. Only for callers who see the drafts of the type.
 */
export interface EntryMeta {
  /** The name under which `_meta` shows it. */
  readonly name: string
  /** Schema of a value, for the API document. */
  readonly schema: TSchema
  matches(type: ContentType): boolean
  /** The values by entry id, for up to a page of entries and as far as the caller may see them. Must take one query. */
  load(
    type: ContentType,
    ids: readonly number[],
    queries: Queries,
    principal: Principal,
  ): Awaitable<ReadonlyMap<number, unknown>>
  /** The value shown for entries that `load` does not return. */
  valueOfOthers(type: ContentType): unknown
  /** How lists can be filtered and sorted by it; undefined if they cannot. */
  readonly selection?: MetaSelection
}

/** The values to compare with come from query strings. */
export interface MetaSelection {
  /** The name that filters and sorts use; fields of the same name take precedence. */
  readonly name: string
  /** The entries that have one of the values; never NULL in SQL. Returns a problem for impossible values. */
  havingOneOf(type: ContentType, values: readonly string[]): Restriction | { readonly problem: string }
  /** The entries that have no value. */
  havingNone(type: ContentType): Restriction
  /**
   * Whether filtering by these values (or sorting, without values) reveals names of admin users, so that only callers who may see
   * them can use it.
   */
  tellsAdminNames?(values?: readonly string[]): boolean
  /** The expression to sort by; null comes first. */
  order(type: ContentType): SortExpression
}

/** An SQL expression about entries, like a `Restriction`. */
export interface SortExpression extends Pick<Restriction, 'shape' | 'values'> {
  of(entry: RestrictedEntry): SQL
}

/** Contribute in `register` or `init`. */
export const entryMeta: ExtensionPoint<EntryMeta> = extensionPoint('entryMeta')

/** The field that shows what plugins know about an entry. */
export const metaField = '_meta'

/** The field that shows the number of entries behind each relation, under the name by which the relation is shown. */
export const totalsField = '_totals'

/** Finds what plugins know about the entries of a type. */
export type MetaOf = (type: ContentType) => readonly EntryMeta[]

/** `contributed` is complete after every plugin has booted, so it is called at the first read of each type. */
export function createMetaOf(contributed: () => readonly EntryMeta[]): MetaOf {
  const known = new Map<ContentType, readonly EntryMeta[]>()
  return (type) => {
    const found = known.get(type) ?? (type.system ? [] : contributed().filter((meta) => meta.matches(type)))
    known.set(type, found)
    return found
  }
}

/** What the filters and sorts of a query may name besides fields. */
export class MetaSelections {
  readonly #byName: ReadonlyMap<string, MetaSelection>
  /** Whether the query uses any of it. */
  isUsed = false
  /** Whether the query reveals names of admin users. */
  tellsAdminNames = false

  constructor(known: readonly EntryMeta[]) {
    this.#byName = new Map(
      known.flatMap(({ selection }) => (selection === undefined ? [] : [[selection.name, selection]])),
    )
  }

  named(name: string): MetaSelection | undefined {
    const found = this.#byName.get(name)
    if (found !== undefined) this.isUsed = true
    return found
  }

  /** Call it with the values of each filter, and without values for a sort. */
  note(selection: MetaSelection, values?: readonly string[]): void {
    if (selection.tellsAdminNames?.(values) === true) this.tellsAdminNames = true
  }
}
