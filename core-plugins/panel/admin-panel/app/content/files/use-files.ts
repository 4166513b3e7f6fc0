import { useQueries } from '@tanstack/react-query'
import type { MediaFile } from '../../../../../../client/client.ts'
import { useAccess } from '../../ground/access/access.ts'
import { batched } from '../../ground/api/batched.ts'
import { api } from '../../ground/api/client.ts'

const file = batched(async (ids) => (await api.media.list({ ids, limit: ids.length })).data)

/** Files by id: undefined while loading or if the user may not read files, null if the file does not exist. */
export function useFiles(ids: readonly number[]): ReadonlyMap<number, MediaFile | null | undefined> {
  const isReadable = useAccess().mayMedia('read')
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['media', 'label', id],
      queryFn: () => file(id),
      staleTime: 60_000,
      enabled: isReadable,
    })),
    combine: (results) => new Map(ids.map((id, index) => [id, results[index]?.data])),
  })
}
