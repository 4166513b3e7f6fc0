import { queryOptions } from '@tanstack/react-query'
import type { PanelDocument } from '../../../../../../client/admin.ts'
import { api } from '../api/client.ts'

/** Rights and switched-off plugins change seldom; coming back to the tab notices them. */
const staleTime = 60_000

/** What the panel starts with. The application is drawn once it is there, and it stays in the cache. */
export const panelDocument = queryOptions({
  queryKey: ['panel'],
  queryFn: ({ signal }) => api.send<PanelDocument>('GET', '/admin/panel', { signal }),
  staleTime,
  gcTime: Number.POSITIVE_INFINITY,
})
