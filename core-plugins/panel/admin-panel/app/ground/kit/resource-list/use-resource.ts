import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Pagination } from '../../../../../../../client/client.ts'
import { api, transport } from '../../api/client.ts'
import { momentOf } from '../../i18n/local-time.ts'
import type { Resource, ResourceFilter } from './resource.ts'
import type { ListAddress } from './use-list-address.ts'

export const pageSize = 25

/** A page of a list; `pagination` is undefined if the service returns the whole list. */
export interface ResourcePage<Item> {
  readonly items: readonly Item[]
  readonly pagination: Pagination | undefined
}

/** Loads the page in the URL. The previous rows stay visible until it arrives. */
export function useResource<Item>(
  resource: Resource,
  filters: readonly ResourceFilter[],
  address: ListAddress,
) {
  const query = queryOf(filters, address)
  return useQuery({
    queryKey: [resource.key, 'page', resource.path, query],
    queryFn: async ({ signal }): Promise<ResourcePage<Item>> => {
      const path = query === '' ? resource.path : `${resource.path}?${query}`
      const { data, pagination } = await transport.send<readonly Item[]>('GET', path, { signal })
      return { items: data, pagination: pagination as Pagination | undefined }
    },
    placeholderData: keepPreviousData,
    ...(resource.refreshMs === undefined ? {} : { refetchInterval: resource.refreshMs }),
  })
}

/** Loads the item that a link names, if it is not on the current page. */
export function useResourceItem<Item>({ key, path, hasItems = false }: Resource, id: string | undefined) {
  return useQuery({
    queryKey: [key, 'item', path, id],
    queryFn: ({ signal }) => api.send<Item>('GET', `${path}/${encodeURIComponent(id ?? '')}`, { signal }),
    enabled: hasItems && id !== undefined,
  })
}

/** The query string of the filters in use, with `offset` on later pages. */
export function queryOf(filters: readonly ResourceFilter[], { values, offset }: ListAddress): string {
  const query = new URLSearchParams()
  for (const { name, kind } of filters) {
    const value = values[name] ?? ''
    const sent = kind === 'moment' ? (momentOf(value)?.toISOString() ?? '') : value
    if (sent !== '') query.set(name, sent)
  }
  if (offset > 0) query.set('offset', String(offset))
  return query.toString()
}
