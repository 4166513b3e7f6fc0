import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EntryComment } from '../../../../../../client/admin.ts'
import { paged } from '../../ground/api/paged.ts'

/** The maximum page size of the API. */
const pageSize = 100

export const discussionKey = (type: string, id: number | undefined) => ['discussion', type, id]

export const commentsPath = (type: string, id: number) =>
  `/content/${encodeURIComponent(type)}/${id}/comments`

/** The comments on an entry, oldest first, page by page; events from the service keep them up to date. */
export function useComments(type: string, id: number | undefined) {
  const query = useInfiniteQuery({
    queryKey: [...discussionKey(type, id), 'comments'],
    ...paged<EntryComment>({ path: commentsPath(type, id ?? 0), pageSize }),
    enabled: id !== undefined,
  })
  const { data } = query
  const comments = useMemo(() => data?.pages.flatMap((page) => page.data), [data])
  const total = data?.pages.at(-1)?.pagination.total ?? 0
  return { ...query, comments, missing: total - (comments?.length ?? 0) }
}
