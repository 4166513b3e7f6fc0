import { useQuery } from '@tanstack/react-query'
import type { Admin } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'

type InboxCount = Awaited<ReturnType<Admin['inboxCount']>>

/** Events announce most items; only translations become outdated without an event. */
const refetchMs = 5 * 60_000

/** The number of items in the user's inbox. */
export const useInboxCount = () =>
  useQuery({
    queryKey: ['inbox', 'count'],
    // Without the administration API client, since this request is on every page.
    queryFn: ({ signal }) => api.send<InboxCount>('GET', '/admin/inbox/count', { signal }),
    staleTime: refetchMs,
    refetchInterval: refetchMs,
  }).data
