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

/** How many of the newest releases are offered. */
export const listed = 100

const pageSize = 50

/** The open or the published releases, newest first, page by page. */
export const useReleasePages = (status: 'open' | 'published') =>
  useInfiniteQuery({
    queryKey: ['releases', status, 'pages'],
    ...paged<Release>({ path: '/admin/content-releases', query: { status }, pageSize }),
  })

/** The newest open or published releases; `entry` (`article:7`) limits them to those with that entry. */
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

/** The problems of a release as read at a time: checked again after it is reloaded. */
export function useReleaseCheck(id: number, readAt: number, isWanted: boolean) {
  return useQuery({
    queryKey: [checkKey, id, readAt],
    queryFn: ({ signal }) => admin.releases.check(id, { signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}

/**
 * Invalidates everything, since a publication may change any entry, except checks of releases, which are refused once published.
 */
export const forgetAll = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== checkKey })

/** A change to releases; everything shown about them and their entries is reloaded. */
export function useReleaseChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (output) => onDone?.(output),
    // Also after a failure, since the release may have changed in the meantime.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['releases'] }),
        queries.invalidateQueries({ queryKey: ['calendar'] }),
        queries.invalidateQueries({ queryKey: ['scheduled'] }),
      ]),
  })
}

/** The types whose entries the user may add to releases. */
export function usePublishableTypes() {
  const access = useAccess()
  return (useContentTypes() ?? []).filter(
    ({ name, options }) => options.draftAndPublish === true && access.mayContent(name, 'publish'),
  )
}
