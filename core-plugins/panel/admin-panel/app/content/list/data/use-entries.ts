import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Page } from '../../../../../../../client/client.ts'
import { api } from '../../../ground/api/client.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { ShownColumn } from '../columns/shown-columns.ts'
import { type ListState, stateToQuery } from '../state/list-state.ts'
import type { EntryRow } from './entry-row.ts'
import { type ListRequest, pagesByOffset, rowRequest, selectionRequest } from './list-request.ts'

const usualPageSize = 100

/** The maximum number of loaded pages, to limit memory and layout time; users can continue from the last row. */
const maxPages = 10

/** The loaded rows of a list. */
export interface Entries {
  readonly rows: readonly EntryRow[]
  readonly pages: readonly (readonly EntryRow[])[]
  /** No rows have been loaded yet. */
  readonly isLoading: boolean
  /** The rows still belong to the previous state, until new ones are loaded. */
  readonly isOutdated: boolean
  readonly error: Error | null
  readonly isLoadingMore: boolean
  readonly loadMore?: () => void
  /** The position of the next row, once the maximum of rows is loaded. */
  readonly nextFrom?: string
  readonly refetch: () => void
}

interface EntriesOptions {
  readonly pageSize?: number
  /** False if another component loads the entries itself. */
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

/** The number of matching entries, requested after the rows: on large tables, counting is the slowest part. */
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

/** Reads a page of a list. Its fields are only known at run time, so the response is not typed by the client. */
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

/** The part of the state that determines the entries and their order. */
const rowState = ({ columns: _columns, view: _view, layout: _layout, ...state }: ListState): ListState =>
  state

/** The part of the state that determines the entries. */
function selectionState({ sort: _sort, from: _from, ...state }: ListState): ListState {
  return rowState(state)
}
