import type { OpenEntry } from '../../content/entry/entry-session.ts'
import { rowRequest, selectionRequest } from '../../content/list/data/list-request.ts'
import type { List } from '../../content/list/list-context.ts'
import { hasDraftsBeside } from '../../content/schema/drafts-beside.ts'
import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { type ReadQuery, type ReadRequest, typedFilters } from './read-request.ts'

/** A sensible page size for a program. */
const usualLimit = 25

/** The request for a list, without parts that only the panel needs. */
export function requestOfList({
  type,
  types,
  state,
  columns,
}: Pick<List, 'type' | 'types' | 'state' | 'columns'>): ReadRequest {
  const { filters, ...selection } = selectionRequest(type, state)
  const { meta: _, ...row } = rowRequest(type, columns, state)
  const typed = filters === undefined ? {} : { filters: typedFilters(filters, type, types) }
  return { type, types, query: { ...typed, ...selection, ...row, limit: usualLimit } as ReadQuery }
}

export interface EntryOfRequest extends Pick<OpenEntry, 'type' | 'locale' | 'id'> {
  readonly types: readonly DescribedType[]
  readonly access: Access
}

/** The request for the entry of a form, with its draft. */
export function requestOfEntry({ type, types, id, locale, access }: EntryOfRequest): ReadRequest {
  const isSingle = type.kind === 'singleType'
  const query = {
    ...(isSingle && locale !== undefined && { locale }),
    ...(hasDraftsBeside(type, access) && { draft: true }),
  }
  return { type, types, query, ...(!isSingle && id !== undefined && { id }) }
}
