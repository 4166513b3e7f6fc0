import { queryOptions, useQuery } from '@tanstack/react-query'
import type { DescribedType } from '../../../../../../client/admin.ts'
import { api } from './client.ts'

export type { DescribedAttribute, DescribedType, DescribedWorkflow } from '../../../../../../client/admin.ts'

/** They change with a start of the service only. */
const staleTime = 5 * 60_000

/** The content types that whoever is signed in may read. */
export const contentTypes = queryOptions({
  queryKey: ['content-types'],
  queryFn: ({ signal }) => api.send<readonly DescribedType[]>('GET', '/admin/content-types', { signal }),
  staleTime,
})

/** The content types that whoever is signed in may read; undefined until they are known. */
export function useContentTypes(): readonly DescribedType[] | undefined {
  return useQuery(contentTypes).data
}
