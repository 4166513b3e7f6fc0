import { useQuery } from '@tanstack/react-query'
import type { Admin } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'

type InboxCount = Awaited<ReturnType<Admin['inboxCount']>>

/** Events say what concerns one; only translations grow old without a word. */
const refetchMs = 5 * 60_000

/** How much waits for whoever is signed in. */
export const useInboxCount = () =>
  useQuery({
    queryKey: ['inbox', 'count'],
    // Without the client of the administration, since every page asks this.
    queryFn: ({ signal }) => api.send<InboxCount>('GET', '/admin/inbox/count', { signal }),
    staleTime: refetchMs,
    refetchInterval: refetchMs,
  }).data
