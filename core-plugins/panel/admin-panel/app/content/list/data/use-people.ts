import { useQuery } from '@tanstack/react-query'
import type { Admin } from '../../../../../../../client/admin.ts'
import { api } from '../../../ground/api/client.ts'

type People = Awaited<ReturnType<Admin['people']>>

/** The names of admin users by id, limited to one page of the API; loaded only if `isWanted`. */
export function usePeople(isWanted: boolean): ReadonlyMap<number, string> | undefined {
  const { data } = useQuery({
    queryKey: ['people'],
    // Without the administration API client, to keep the first list small.
    queryFn: ({ signal }) => api.send<People>('GET', '/admin/people?limit=50', { signal }),
    select: namesById,
    enabled: isWanted,
    staleTime: 60_000,
  })
  return data
}

const namesById = (people: People) => new Map(people.map(({ id, username }) => [id, username]))
