import { queryClient } from '../../ground/api/query-client.ts'

/** Reads the library again, after something in it has changed. */
export function refreshMedia(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['media'] })
}
