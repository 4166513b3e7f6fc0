/**
 * A query made by another plugin, with the parameters of the REST API. Compiled plans are cached by object identity: pass the
 * same object to repeat a query, and never modify it.
 */
export interface EntryQuery {
  /**
   * As in a query string: `{ title: { $contains: 'x' } }`. For lists only, like the other options before
   * `fields`.
   */
  readonly filters?: unknown
  /** `featured:desc,title` */
  readonly sort?: string
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
  /** False omits the total. */
  readonly total?: boolean
  readonly published?: boolean
  /** True: the entries in the trash, for administrators. */
  readonly deleted?: boolean
  /** True: with drafts applied, where the type keeps pending drafts (see PendingDrafts). */
  readonly draft?: boolean
  /** True: includes `_meta`, what plugins know about the entries (see EntryMeta). */
  readonly meta?: boolean
  readonly search?: string
  /** True: `search` also finds words with typing errors. */
  readonly typos?: boolean
  /** Parameters added by other plugins (see `EntryParameters`), such as `locale`. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Undefined: all fields. */
  readonly fields?: readonly string[]
  readonly populate?: readonly Expansion[]
  /**
   * False: ids of relations inside components are not checked and may belong to entries hidden from the caller; the plugin
   * promises not to show them. Expanded entries are always visible ones. Saves a query.
   */
  readonly showsIds?: boolean
}

/** The options of a query that say what to show of each entry, not which entries to read. */
export type ShownOfEntries = Pick<EntryQuery, 'fields' | 'populate' | 'showsIds'>

/** A field to expand: a relation or media field, or a component or zone with such fields in it. */
export interface Expansion {
  readonly field: string
  /** The name under which the result is stored; default: the name of the field. For references only. */
  readonly as?: string
  /**
   * Which of the referenced entries to include, in which order, and which of their fields; as in an
   * EntryQuery.
   */
  readonly fields?: readonly string[]
  readonly filters?: unknown
  readonly sort?: string
  /** Per entry that has the field; at most `api.pagination.maxLimit`. */
  readonly limit?: number
  readonly offset?: number
  /** True: `_totals` of each entry shows, under the same name, the total number of referenced entries. For lists. */
  readonly total?: boolean
  /** What to expand in the entries found. The depth is not limited here; the caller has to limit it. */
  readonly populate?: readonly Expansion[]
  /** What to expand in components, by their uid. */
  readonly inComponents?: Readonly<Record<string, readonly Expansion[]>>
}
