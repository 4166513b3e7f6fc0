import type { EntryMeta, MetaSelection } from '../entry-meta.ts'

/** What the filters and sorts of a query may name besides fields. */
export class MetaSelections {
  readonly #byName: ReadonlyMap<string, MetaSelection>
  /** Whether the query names any of it. */
  isUsed = false

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
}
