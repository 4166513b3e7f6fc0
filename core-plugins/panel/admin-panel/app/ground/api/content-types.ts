import { queryOptions, useQuery } from '@tanstack/react-query'
import type { DescribedType } from '../../../../../../client/admin.ts'
import { api } from './client.ts'

export type { DescribedAttribute, DescribedType, DescribedWorkflow } from '../../../../../../client/admin.ts'

/** Types and components only change when the service restarts. */
const staleTime = 5 * 60_000

/** The content types that the user may read. */
export const contentTypes = queryOptions({
  queryKey: ['content-types'],
  queryFn: ({ signal }) => api.send<readonly DescribedType[]>('GET', '/admin/content-types', { signal }),
  staleTime,
})

/** The content types that the user may read; undefined while loading. */
export function useContentTypes(): readonly DescribedType[] | undefined {
  return useQuery(contentTypes).data
}
