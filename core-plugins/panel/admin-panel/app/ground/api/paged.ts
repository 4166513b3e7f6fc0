import { transport } from './client.ts'

/** One page of a list of the service that is read by offset. */
export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly total: number }
}

export interface PagedList {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly pageSize: number
}

/** For `useInfiniteQuery`: a list of the service, page by page. */
export const paged = <Item>({ path, query = {}, pageSize }: PagedList) => ({
  initialPageParam: 0,
  async queryFn({ pageParam, signal }: { readonly pageParam: number; readonly signal: AbortSignal }) {
    const parameters = new URLSearchParams({
      ...query,
      limit: String(pageSize),
      offset: String(pageParam),
    })
    const { data, pagination } = await transport.send<Item[]>('GET', `${path}?${parameters}`, { signal })
    return { data, pagination } as ListPage<Item>
  },
  getNextPageParam(last: ListPage<Item>, pages: readonly ListPage<Item>[]) {
    const count = pages.reduce((sum, { data }) => sum + data.length, 0)
    return last.data.length > 0 && count < last.pagination.total ? count : undefined
  },
})
