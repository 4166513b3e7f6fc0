import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DescribedComponent } from '../../../../../../client/admin.ts'
import { api } from './client.ts'

/** Types and components only change when the service restarts. */
const staleTime = 5 * 60_000

/** The components that the user may read. */
export const components = queryOptions({
  queryKey: ['components'],
  queryFn: ({ signal }) => api.send<readonly DescribedComponent[]>('GET', '/admin/components', { signal }),
  staleTime,
})

/** The components that the user may read, by name; undefined while loading. */
export function useComponents(): Components | undefined {
  const { data } = useQuery(components)
  return useMemo(() => data && new Map(data.map((component) => [component.uid, component])), [data])
}

export type Components = ReadonlyMap<string, DescribedComponent>
