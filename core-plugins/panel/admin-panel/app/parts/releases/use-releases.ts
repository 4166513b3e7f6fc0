import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Release } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { admin } from '../../ground/api/admin.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { paged } from '../../ground/api/paged.ts'

/** How many of the newest releases one chooses from. */
export const listed = 100

const pageSize = 50

/** The releases that are not published, or those that are, the newest first, page by page. */
export const useReleasePages = (status: 'open' | 'published') =>
  useInfiniteQuery({
    queryKey: ['releases', status, 'pages'],
    ...paged<Release>({ path: '/admin/content-releases', query: { status }, pageSize }),
  })

/** The newest releases that are not published, or those that are; `entry` (`article:7`): in which it is. */
export function useReleases(status: 'open' | 'published', entry?: string) {
  return useQuery({
    queryKey: ['releases', status, entry],
    queryFn: ({ signal }) =>
      admin.releases.list({ status, limit: listed, ...(entry !== undefined && { entry }) }, { signal }),
  })
}

export function useRelease(id: number) {
  return useQuery({
    queryKey: ['releases', id],
    queryFn: ({ signal }) => admin.releases.get(id, { signal }),
  })
}

const checkKey = 'release-check'

/** What stops a release as it was read at a time: asked again when that has been read anew. */
export function useReleaseCheck(id: number, readAt: number, isWanted: boolean) {
  return useQuery({
    queryKey: [checkKey, id, readAt],
    queryFn: ({ signal }) => admin.releases.check(id, { signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}

/** After a publication any entry may be another one. A check of what is published now would be refused. */
export const forgetAll = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== checkKey })

/** A change to releases; whatever is shown of them, and of what they are about, is read anew. */
export function useReleaseChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (output) => onDone?.(output),
    // After a failure, too: the release may have become another one in the meantime.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['releases'] }),
        queries.invalidateQueries({ queryKey: ['calendar'] }),
        queries.invalidateQueries({ queryKey: ['scheduled'] }),
      ]),
  })
}

/** The types whose entries whoever is signed in may put into releases. */
export function usePublishableTypes() {
  const access = useAccess()
  return (useContentTypes() ?? []).filter(
    ({ name, options }) => options.draftAndPublish === true && access.mayContent(name, 'publish'),
  )
}
