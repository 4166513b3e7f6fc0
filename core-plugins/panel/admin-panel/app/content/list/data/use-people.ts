import { useQuery } from '@tanstack/react-query'
import type { Admin } from '../../../../../../../client/admin.ts'
import { api } from '../../../ground/api/client.ts'

type People = Awaited<ReturnType<Admin['people']>>

/** The names of admin users by id, as many as the API tells at once; asked for where they are wanted only. */
export function usePeople(isWanted: boolean): ReadonlyMap<number, string> | undefined {
  const { data } = useQuery({
    queryKey: ['people'],
    // Without the client of the administration, which the first list can do without.
    queryFn: ({ signal }) => api.send<People>('GET', '/admin/people?limit=50', { signal }),
    select: namesById,
    enabled: isWanted,
    staleTime: 60_000,
  })
  return data
}

const namesById = (people: People) => new Map(people.map(({ id, username }) => [id, username]))
