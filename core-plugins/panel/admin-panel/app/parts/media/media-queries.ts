import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MediaFile, MediaQuery } from '../../../../../../client/client.ts'
import { admin } from '../../ground/api/admin.ts'
import { api } from '../../ground/api/client.ts'
import type { MediaView } from './media-view.ts'

const pageSize = 60

/** How many ids fit into a URL and a page. */
const idsAtOnce = 100

type ListedView = Omit<MediaView, 'layout'>

function queryOf({ folder, kind, search, sort, tag }: ListedView): MediaQuery {
  const [attribute, order] = sort.split(':')
  return {
    sort: attribute as NonNullable<MediaQuery['sort']>,
    sortOrder: order === 'desc' ? 'desc' : 'asc',
    ...(folder === 'all' ? {} : { folder }),
    ...(kind === 'all' ? {} : { type: kind }),
    ...(search === '' ? {} : { search }),
    ...(tag === '' ? {} : { tag }),
  }
}

const listOptions = (view: ListedView) =>
  infiniteQueryOptions({
    queryKey: ['media', 'list', queryOf(view)],
    queryFn: ({ pageParam, signal }) =>
      api.media.list({ ...queryOf(view), limit: pageSize, offset: pageParam, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination }, _pages, offset) =>
      pagination.hasMore ? offset + pageSize : undefined,
    placeholderData: (previous) => previous,
  })

/** The files of a view, page after page. */
export interface ListedFiles {
  /** Undefined until the first page is loaded. */
  readonly files: readonly MediaFile[] | undefined
  readonly total: number | undefined
  readonly error: unknown
  readonly isLoadingMore: boolean
  loadMore(): void
}

/** Fetches the files of a view, the next page when `loadMore` is called. */
export function useMediaList(view: ListedView): ListedFiles {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(listOptions(view))
  // A file uploaded meanwhile shifts the others to later pages, where they would appear twice.
  const files = useMemo(() => data && distinct(data.pages.flatMap((page) => page.data)), [data])
  return {
    files,
    total: data?.pages.at(-1)?.pagination.total,
    error,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
  }
}

const distinct = (files: readonly MediaFile[]) => [...new Map(files.map((file) => [file.id, file])).values()]

const folderTreeOptions = queryOptions({
  queryKey: ['media', 'folders'],
  queryFn: ({ signal }) => admin.mediaFolders.tree({ signal }),
  staleTime: 60_000,
})

/** All folders as a tree; undefined until they are known. */
export const useFolderTree = () => useQuery(folderTreeOptions).data

/** The usages of files: the first `limit` ones and the total. */
export async function usagesOf(ids: readonly number[], limit: number, signal: AbortSignal) {
  const chunks: (readonly number[])[] = []
  for (let start = 0; start < ids.length; start += idsAtOnce) chunks.push(ids.slice(start, start + idsAtOnce))
  const pages = await Promise.all(chunks.map((chunk) => api.media.usageOfMany(chunk, { limit, signal })))
  return {
    usages: pages.flatMap(({ data }) => data).slice(0, limit),
    total: pages.reduce((sum, { pagination }) => sum + (pagination.total ?? 0), 0),
  }
}

/** A file with the ETag of the version that changes are based on. */
export type FileVersion = Awaited<ReturnType<typeof api.media.getVersion>>

export const fileOptions = (id: number) =>
  queryOptions({
    queryKey: ['media', 'file', id],
    queryFn: ({ signal }): Promise<FileVersion> => api.media.getVersion(id, { signal }),
  })
