import { queryClient } from '../../ground/api/query-client.ts'

/** Reloads the media library after a change. */
export function refreshMedia(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['media'] })
}
