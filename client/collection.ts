import {
  type PublishOptions,
  requestEntry,
  requestPublication,
  signalOf,
  type WriteOptions,
} from './entry-request.ts'
import {
  addressQuery,
  type ListQuery,
  type Page,
  type Pagination,
  type PlainName,
  type ReadQuery,
  type Selection,
} from './list-query.ts'
import type { Populate } from './populate.ts'
import type { FieldName, Result } from './result.ts'
import type { ReferenceName, TypeShape } from './shape.ts'
import type { Transport } from './transport.ts'

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** A value of an aggregate: exact ones that no double holds come as strings. */
export type AggregateValue = number | string | boolean | null

export interface AggregateQuery<Shape extends TypeShape> extends Selection<Shape> {
  readonly function: AggregateFunction
  /** What to look at; `count` needs none. */
  readonly field?: GroupName<Shape>
  readonly signal?: AbortSignal
}

type GroupName<Shape extends TypeShape> = PlainName<Shape> | (ReferenceName<Shape> & string)

/** What a version of an entry in one locale is like, beside its source. */
export interface TranslationMeta {
  readonly id: number
  readonly status: 'draft' | 'in_review' | 'approved' | 'published' | 'outdated'
  readonly sourceLocale: string
  readonly notes: string | null
  readonly updated_at: string
}

/** The entries of one collection type. */
export interface Collection<Shape extends TypeShape> {
  list<
    const Populated extends Populate<Shape> | undefined = undefined,
    const Fields extends FieldName<Shape> = FieldName<Shape>,
  >(query?: ListQuery<Shape, Populated, Fields>): Promise<Page<Result<Shape, Populated, Fields>>>
  /** All entries, page after page while they are asked for; `limit` is the size of a page. */
  each<
    const Populated extends Populate<Shape> | undefined = undefined,
    const Fields extends FieldName<Shape> = FieldName<Shape>,
  >(
    query?: Omit<ListQuery<Shape, Populated, Fields>, 'offset' | 'cursor' | 'total'>,
  ): AsyncGenerator<Result<Shape, Populated, Fields>, void, undefined>
  get<
    const Populated extends Populate<Shape> | undefined = undefined,
    const Fields extends FieldName<Shape> = FieldName<Shape>,
  >(id: number, query?: ReadQuery<Shape, Populated, Fields>): Promise<Result<Shape, Populated, Fields>>
  /** As `get`, beside the ETag that `ifMatch` takes. */
  getVersion(
    id: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ entry: Result<Shape>; etag: string }>
  create(input: Shape['input'], options?: { readonly signal?: AbortSignal }): Promise<Result<Shape>>
  /** Changes the fields that are sent. */
  update(id: number, input: Partial<Shape['input']>, options?: WriteOptions): Promise<Result<Shape>>
  /** Answers the entry as it was. */
  delete(id: number, options?: WriteOptions): Promise<Result<Shape>>
  publish(id: number, options?: PublishOptions): Promise<Result<Shape>>
  unpublish(id: number, options?: WriteOptions): Promise<Result<Shape>>
  aggregate(query: AggregateQuery<Shape>): Promise<AggregateValue>
  /** One value for each group of entries with equal values in some fields, the largest first. */
  aggregateBy<const Group extends GroupName<Shape>>(
    groupBy: readonly Group[],
    query: AggregateQuery<Shape>,
  ): Promise<
    { readonly group: { readonly [Name in Group]: AggregateValue }; readonly value: AggregateValue }[]
  >
  /** All versions of an entry of a type with localisation. */
  localizations(
    id: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ localizations: Result<Shape>[]; translationMeta: Record<string, TranslationMeta> }>
  /** Adds a version in another locale. */
  localize(
    id: number,
    input: Partial<Shape['input']> & { readonly locale: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result<Shape>>
}

const pageSize = 100

/** Makes the collection of a type by its singular name. */
export function createCollection<Shape extends TypeShape>(
  transport: Transport,
  name: string,
): Collection<Shape> {
  const path = `/content/${encodeURIComponent(name)}`
  type Query = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }
  const request = (method: string, address: string, options?: WriteOptions & { body?: unknown }) =>
    requestEntry(transport, method, path + address, options)

  async function list(query: Query = {}) {
    const answer = await transport.send<unknown[]>('GET', path + addressQuery(query), signalOf(query))
    return { data: answer.data, pagination: answer.pagination as Pagination }
  }

  async function* each(query: Query = {}) {
    let cursor: string | null | undefined = ''
    while (typeof cursor === 'string') {
      const page: Page<unknown> = await list({ limit: pageSize, ...query, cursor })
      yield* page.data
      cursor = page.pagination.nextCursor
    }
  }

  async function getVersion(id: number, options?: WriteOptions) {
    const { data, headers } = await transport.send('GET', `${path}/${id}`, options)
    return { entry: data, etag: headers.get('etag') ?? '' }
  }

  const aggregate = (query: Query, groupBy?: readonly string[]) =>
    request('GET', `/aggregate${addressQuery({ ...query, groupBy })}`, signalOf(query))

  const collection = {
    list,
    each,
    getVersion,
    get: (id: number, query: Query = {}) => request('GET', `/${id}${addressQuery(query)}`, signalOf(query)),
    create: (body: unknown, options?: WriteOptions) => request('POST', '', { ...options, body }),
    update: (id: number, body: unknown, options?: WriteOptions) =>
      request('PUT', `/${id}`, { ...options, body }),
    delete: (id: number, options?: WriteOptions) => request('DELETE', `/${id}`, options),
    publish: (id: number, options?: PublishOptions) =>
      requestPublication(transport, `${path}/${id}`, options),
    unpublish: (id: number, options?: WriteOptions) => request('PUT', `/${id}/unpublish`, options),
    aggregate: async (query: Query) => ((await aggregate(query)) as { value: AggregateValue }).value,
    aggregateBy: (groupBy: readonly string[], query: Query) => aggregate(query, groupBy),
    localizations: (id: number, options?: WriteOptions) => request('GET', `/${id}/localizations`, options),
    localize: (id: number, body: unknown, options?: WriteOptions) =>
      request('POST', `/${id}/localizations`, { ...options, body }),
  }
  // Types say what the service answers; nothing is checked while it runs.
  return collection as unknown as Collection<Shape>
}
