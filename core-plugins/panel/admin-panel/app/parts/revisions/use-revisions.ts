import { useInfiniteQuery } from '@tanstack/react-query'
import type { Revision } from '../../../../../../client/client.ts'
import { pathOf, type SavedEntry } from '../../content/entry/side/publication/publication-requests.ts'
import { transport } from '../../ground/api/client.ts'
import { paged } from '../../ground/api/paged.ts'

/** A revision without its data, as lists have it. */
export type RevisionSummary = Omit<Revision, 'data'>

/** A revision with its data. */
export type WholeRevision = Required<Revision>

const pageSize = 25

/** The revisions of an entry, newest first, page by page. */
export function useRevisions(entry: SavedEntry) {
  const { type, id, saved } = entry
  return useInfiniteQuery({
    queryKey: ['revisions', type.name, id, saved.etag],
    ...paged<RevisionSummary>({ path: `${pathOf(entry)}/revisions`, query: { data: 'false' }, pageSize }),
  })
}

/** A revision with its data, which never changes. */
export const wholeRevision = (entry: SavedEntry, revisionId: number) => ({
  queryKey: ['revision', entry.type.name, entry.id, revisionId],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await transport.send<WholeRevision>('GET', `${pathOf(entry)}/revisions/${revisionId}`, { signal })).data,
})
