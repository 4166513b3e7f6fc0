import type { EntryMeta, MetaSelection } from '../entry/entry-meta.ts'

/** What the filters and sorts of a query may name besides fields. */
export class MetaSelections {
  readonly #byName: ReadonlyMap<string, MetaSelection>
  /** Whether the query names any of it. */
  isUsed = false
  /** Whether the query goes by the names of admin users. */
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

  /** To be called with the values of each filter, and without any for a sort. */
  note(selection: MetaSelection, values?: readonly string[]): void {
    if (selection.tellsAdminNames?.(values) === true) this.tellsAdminNames = true
  }
}
