import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DescribedComponent } from '../../../../../../client/admin.ts'
import { api } from './client.ts'

/** They change with a start of the service only. */
const staleTime = 5 * 60_000

/** The components that whoever is signed in may know. */
export const components = queryOptions({
  queryKey: ['components'],
  queryFn: ({ signal }) => api.send<readonly DescribedComponent[]>('GET', '/admin/components', { signal }),
  staleTime,
})

/** The components that whoever is signed in may know, by their names; undefined until they are known. */
export function useComponents(): Components | undefined {
  const { data } = useQuery(components)
  return useMemo(() => data && new Map(data.map((component) => [component.uid, component])), [data])
}

export type Components = ReadonlyMap<string, DescribedComponent>
