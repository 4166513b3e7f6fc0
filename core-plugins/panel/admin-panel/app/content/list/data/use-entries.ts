import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Page } from '../../../../../../../client/client.ts'
import { api } from '../../../ground/api/client.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { ShownColumn } from '../columns/shown-columns.ts'
import { type ListState, stateToQuery } from '../state/list-state.ts'
import type { EntryRow } from './entry-row.ts'
import { type ListRequest, pagesByOffset, rowRequest, selectionRequest } from './list-request.ts'

const usualPageSize = 100

/** Every row that is kept costs memory and the time to lay it out; who needs more goes on from the last one. */
const maxPages = 10

/** The rows of a list, as far as one has scrolled. */
export interface Entries {
  readonly rows: readonly EntryRow[]
  readonly pages: readonly (readonly EntryRow[])[]
  /** None have come yet. */
  readonly isLoading: boolean
  /** The rows are those of the state before, until its own come. */
  readonly isOutdated: boolean
  readonly error: Error | null
  readonly isLoadingMore: boolean
  readonly loadMore?: () => void
  /** Where the rest begins, once as many rows are kept as may be. */
  readonly nextFrom?: string
  readonly refetch: () => void
}

interface EntriesOptions {
  readonly pageSize?: number
  /** False where something else reads them, in a way of its own. */
  readonly isWanted?: boolean
}

/** Reads the entries of a list, a page at a time. */
export function useEntries(
  type: DescribedType,
  state: ListState,
  columns: readonly ShownColumn[],
  { pageSize = usualPageSize, isWanted = true }: EntriesOptions = {},
): Entries {
  const isByOffset = pagesByOffset(state)
  const query = useInfiniteQuery({
    queryKey: ['entries', type.name, stateToQuery(rowState(state)), columns.map(({ id }) => id), pageSize],
    enabled: isWanted,
    initialPageParam: state.from ?? '',
    queryFn: ({ pageParam, signal }) =>
      readPage(type, {
        ...selectionRequest(type, state),
        ...rowRequest(type, columns, state),
        ...(isByOffset ? { offset: Number(pageParam) || 0 } : { cursor: pageParam }),
        limit: pageSize,
        total: false,
        signal,
      }),
    getNextPageParam: (last, pages, from) => (pages.length < maxPages ? after(last, from) : undefined),
    placeholderData: (previous, before) => (before?.queryKey[1] === type.name ? previous : undefined),
  })
  const pages = query.data?.pages ?? []
  const last = pages.at(-1)
  const from = String(query.data?.pageParams.at(-1) ?? '')
  const nextFrom = pages.length === maxPages && last !== undefined ? after(last, from) : undefined
  return {
    rows: pages.flatMap(({ data }) => data),
    pages: pages.map(({ data }) => data),
    isLoading: isWanted && query.isPending,
    isOutdated: query.isPlaceholderData,
    error: query.error,
    isLoadingMore: query.isFetchingNextPage,
    refetch: () => void query.refetch(),
    ...(query.hasNextPage &&
      !query.isPlaceholderData && { loadMore: () => void query.fetchNextPage({ cancelRefetch: false }) }),
    ...(nextFrom !== undefined && { nextFrom }),
  }
}

/** How many entries match, which is asked for once the rows are there: on large tables, counting takes longest. */
export function useTotal(type: DescribedType, state: ListState, { rows, isLoading, loadMore }: Entries) {
  const isKnown = state.from === undefined && loadMore === undefined
  const { data } = useQuery({
    queryKey: ['entries', type.name, 'total', stateToQuery(selectionState(state))],
    queryFn: async ({ signal }) => {
      const counting = { fields: ['id'], limit: 1, signal }
      return (await readPage(type, { ...selectionRequest(type, state), ...counting })).pagination.total ?? 0
    },
    enabled: !isLoading && !isKnown,
    placeholderData: keepPreviousData,
  })
  if (isLoading) return undefined
  return isKnown ? rows.length : data
}

/** Reads the ids of the first entries that a list would show. */
export async function readIds(type: DescribedType, state: ListState, most: number): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string' && ids.length < most; ) {
    const request = {
      ...selectionRequest(type, state),
      fields: ['id'],
      sort: 'id:desc',
      limit: usualPageSize,
      cursor,
    }
    const page: Page<EntryRow> = await readPage(type, request)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.pagination.nextCursor
  }
  return ids.slice(0, most)
}

/** Reads a page of a list. What it may ask for is only known at run time. */
export async function readPage(
  type: Pick<DescribedType, 'name'>,
  request: ListRequest,
): Promise<Page<EntryRow>> {
  const page = await api.collection(type.name).list(request as never)
  return page as unknown as Page<EntryRow>
}

function after({ pagination }: Page<EntryRow>, from: string): string | undefined {
  const { nextCursor, hasMore, limit } = pagination
  if (nextCursor !== undefined) return nextCursor ?? undefined
  return hasMore ? String((Number(from) || 0) + limit) : undefined
}

/** What decides which entries there are, and in which order. */
const rowState = ({ columns: _columns, view: _view, layout: _layout, ...state }: ListState): ListState =>
  state

/** What decides which entries there are. */
function selectionState({ sort: _sort, from: _from, ...state }: ListState): ListState {
  return rowState(state)
}
