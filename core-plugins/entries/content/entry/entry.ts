import type { Pagination } from '../../../foundation/http/http.ts'

/** An entry as the API shows it: `id`, the attributes, and the system fields of its type. */
export type Entry = Record<string, unknown> & { id: number }

/** One entry, read by its id or as the entry of a single type. */
export interface FoundEntry {
  readonly entry: Entry
  /** Changes with every write of the entry; the part of its ETag that `If-Match` is compared with. */
  readonly version: string
}

/** One page of a list. */
export interface EntryPage {
  readonly entries: readonly Entry[]
  readonly pagination: Pagination
}
