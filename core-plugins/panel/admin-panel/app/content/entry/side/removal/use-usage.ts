import { useQuery } from '@tanstack/react-query'
import type { EntryUsage } from '../../../../../../../../client/admin.ts'
import { transport } from '../../../../ground/api/client.ts'
import { pathOf, type SavedEntry } from '../publication/publication-requests.ts'

const namedForEachField = 10

/** Where the entry is used, and what deleting it would do. */
export function useUsage(entry: SavedEntry, isEnabled = true) {
  return useQuery({
    queryKey: ['usage', entry.type.name, entry.id],
    staleTime: 0,
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const path = `${pathOf(entry)}/usage?limit=${namedForEachField}`
      return (await transport.send<EntryUsage>('GET', path, { signal })).data
    },
  })
}
