import { queryOptions } from '@tanstack/react-query'
import type { PanelDocument } from '../../../../../../client/admin.ts'
import { api } from '../api/client.ts'

/** Permissions and enabled plugins rarely change; they are read again when the user returns to the tab. */
const staleTime = 60_000

/**
 * The document with user, permissions and plugins that the panel starts with. The application renders once it is loaded, and it
 * stays in the cache.
 */
export const panelDocument = queryOptions({
  queryKey: ['panel'],
  queryFn: ({ signal }) => api.send<PanelDocument>('GET', '/admin/panel', { signal }),
  staleTime,
  gcTime: Number.POSITIVE_INFINITY,
})
