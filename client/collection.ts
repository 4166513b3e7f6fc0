import type { Revision, TranslationMeta } from './answers.ts'
import {
  type PublishOptions,
  readOptions,
  requestEntry,
  requestPage,
  requestPublication,
  requestVersion,
  type WriteOptions,
} from './entry-request.ts'
import { addressQuery, type ListQuery, type Page, type ReadQuery, type Selection } from './list-query.ts'
import type { ErrorDetail } from './mortise-error.ts'
import type { Populate } from './populate.ts'
import type { FieldName, Result } from './result.ts'
import type { ReferenceName, TypeShape } from './shape.ts'
import type { PlainName } from './sort.ts'
import type { Transport } from './transport.ts'

/** How the values of a group become one; `count` counts entries. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** A value of an aggregate; exact values that do not fit a double are strings. */
export type AggregateValue = number | string | boolean | null

export interface AggregateQuery<Shape extends TypeShape> extends Selection<Shape> {
  readonly function: AggregateFunction
  /** The field to aggregate; `count` needs none. */
  readonly field?: GroupName<Shape>
  readonly signal?: AbortSignal
}

type GroupName<Shape extends TypeShape> = PlainName<Shape> | (ReferenceName<Shape> & string)

/** A field, or one inside of it: `seo.title`, `facts.size.height`, `author.name`. */
type DistinctName<Shape extends TypeShape> = GroupName<Shape> | `${FieldName<Shape> & string}.${string}`

/** Asks for the values of fields. */
export interface DistinctQuery<Shape extends TypeShape, Field extends DistinctName<Shape>>
  extends Selection<Shape> {
  readonly field: readonly Field[]
  /** By default the most frequent ones first. */
  readonly sort?: `${'count' | 'value'}${'' | ':asc' | ':desc'}`
  /** How many values of each field. */
  readonly limit?: number
  readonly offset?: number
  /** False: the filter on a field does not concern its own values, as choices beside a list need it. */
  readonly ownFilters?: boolean
  /** Relations and media among the fields to show as `entry`. */
  readonly populate?: { readonly [Name in Field & ReferenceName<Shape>]?: true }
  /** Only entries in this locale; what is populated is shown in it, too. */
  readonly locale?: string
  readonly signal?: AbortSignal
}

/** The values of a field, each with the number of entries that have it. */
export interface DistinctValues<Shape extends TypeShape, Field> {
  readonly values: readonly {
    readonly value: AggregateValue
    readonly count: number
    /** What the id refers to, where it is populated. */
    readonly entry?: Field extends keyof Shape['references']
      ? RelatedEntry<Shape['references'][Field]>
      : never
  }[]
  readonly hasMore: boolean
}

type RelatedEntry<Reference> = Reference extends { readonly of: infer Of extends TypeShape }
  ? Result<Of> | null
  : Readonly<Record<string, unknown>> | null

export interface RevisionQuery {
  readonly limit?: number
  readonly offset?: number
  /** False omits the data. */
  readonly data?: boolean
  readonly signal?: AbortSignal
}

/** What a pending draft of an entry changes. */
export interface DraftChanges {
  readonly fields: { readonly field: string; readonly live: unknown; readonly draft: unknown }[]
  readonly updated_at: string
}

/** The entries that a bulk write has changed. */
export interface Written {
  readonly count: number
  readonly ids: number[]
  /** For `Admin.revertBatch`; null if the caller cannot undo the write. */
  readonly batch: { readonly id: string; readonly expires_at: string } | null
}

/** Whether a write would be accepted, and its problems if not. */
export type Checked =
  | { readonly valid: true }
  | { readonly valid: false; readonly details: readonly ErrorDetail[] }

export interface DeleteOptions extends WriteOptions {
  /** Deletes permanently, also from the trash; for administrators. */
  readonly permanent?: boolean
}

export interface TrashOptions {
  /** Default: everything in the trash. */
  readonly olderThanDays?: number
  readonly signal?: AbortSignal
}

/** The entries of one collection type. */
export interface Collection<Shape extends TypeShape> {
  list<
    const Populated extends Populate<Shape> | undefined = undefined,
    const Fields extends FieldName<Shape> = FieldName<Shape>,
  >(query?: ListQuery<Shape, Populated, Fields>): Promise<Page<Result<Shape, Populated, Fields>>>
  /** All entries, fetched page by page as they are consumed; `limit` is the page size. */
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
  /** Like `get`, with the ETag that `ifMatch` takes. */
  getVersion(
    id: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ entry: Result<Shape>; etag: string }>
  create(input: Shape['input'], options?: { readonly signal?: AbortSignal }): Promise<Result<Shape>>
  /** Changes the fields that are sent. */
  update(id: number, input: Partial<Shape['input']>, options?: WriteOptions): Promise<Result<Shape>>
  /** Returns the entry as it was. */
  delete(id: number, options?: DeleteOptions): Promise<Result<Shape>>
  publish(id: number, options?: PublishOptions): Promise<Result<Shape>>
  unpublish(id: number, options?: WriteOptions): Promise<Result<Shape>>
  /** Restores a soft-deleted entry. */
  restore(id: number, options?: WriteOptions): Promise<Result<Shape>>
  /**
   * Permanently deletes what was moved to the trash at least this many days ago; for administrators. Returns
   * how many.
   */
  emptyTrash(options?: TrashOptions): Promise<number>
  /** Applies the same change to many entries: all of them or none. */
  updateMany(
    ids: readonly number[],
    input: Partial<Shape['input']>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Written>
  /** Deletes all of them or none. */
  deleteMany(ids: readonly number[], options?: { readonly signal?: AbortSignal }): Promise<Written>
  /** Publishes all of them or none, now. */
  publishMany(ids: readonly number[], options?: { readonly signal?: AbortSignal }): Promise<Written>
  unpublishMany(ids: readonly number[], options?: { readonly signal?: AbortSignal }): Promise<Written>
  /** What `create` would say to the input; nothing is stored. */
  check(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<Checked>
  /** What `update` would say. */
  checkUpdate(id: number, input: unknown, options?: WriteOptions): Promise<Checked>
  /** Adds an entry to a relation, from either side. */
  link(id: number, field: ReferenceName<Shape> & string, target: number): Promise<Result<Shape>>
  unlink(id: number, field: ReferenceName<Shape> & string, target: number): Promise<Result<Shape>>
  /** What the pending draft of an entry changes, in a type with `draftOverlay`. */
  draftChanges(id: number, options?: { readonly signal?: AbortSignal }): Promise<DraftChanges>
  /** Discards the pending draft of an entry, which stays unchanged. */
  discardDraft(id: number, options?: WriteOptions): Promise<Result<Shape>>
  /** Newest first; for administrators. */
  revisions(id: number, query?: RevisionQuery): Promise<Page<Revision>>
  revision(id: number, revisionId: number, options?: { readonly signal?: AbortSignal }): Promise<Revision>
  /** Restores a revision of an entry, as a new revision. */
  restoreRevision(id: number, revisionId: number, options?: WriteOptions): Promise<Result<Shape>>
  aggregate(query: AggregateQuery<Shape>): Promise<AggregateValue>
  /** One value for each group of entries with equal values in some fields, the largest first. */
  aggregateBy<const Group extends GroupName<Shape>>(
    groupBy: readonly Group[],
    query: AggregateQuery<Shape>,
  ): Promise<
    { readonly group: { readonly [Name in Group]: AggregateValue }; readonly value: AggregateValue }[]
  >
  /** The values of fields with the number of entries that have them: the choices beside a list. */
  distinct<const Field extends DistinctName<Shape>>(
    query: DistinctQuery<Shape, Field>,
  ): Promise<{ readonly [Name in Field]: DistinctValues<Shape, Name> }>
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

type Query = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }

/** Sends requests to addresses below that of a type. */
interface TypeRequests {
  /** Returns only the data. */
  request(method: string, address: string, options?: WriteOptions & { body?: unknown }): Promise<unknown>
  page(address: string, query?: Query): Promise<Page<unknown>>
  publish(id: number, options?: PublishOptions): Promise<unknown>
  getVersion(id: number, options?: WriteOptions): Promise<{ entry: unknown; etag: string }>
}

/** Makes the collection of a type by its singular name. */
export function createCollection<Shape extends TypeShape>(
  transport: Transport,
  name: string,
): Collection<Shape> {
  const requests = requestsBelow(transport, `/content/${encodeURIComponent(name)}`)
  const collection = {
    ...readsOf(requests),
    ...writesOf(requests),
    ...bulkWritesOf(requests),
    ...draftsOf(requests),
    ...revisionsOf(requests),
    ...aggregatesOf(requests),
    ...localizationsOf(requests),
  }
  // Types describe what the service returns; nothing is checked at run time.
  return collection as unknown as Collection<Shape>
}

function requestsBelow(transport: Transport, path: string): TypeRequests {
  return {
    request: (method, address, options) => requestEntry(transport, method, path + address, options),
    page: (address, query = {}) =>
      requestPage(transport, path + address + addressQuery(query), readOptions(query)),
    publish: (id, options) => requestPublication(transport, `${path}/${id}`, options),
    async getVersion(id, options) {
      const { data: entry, etag } = await requestVersion(transport, `${path}/${id}`, options)
      return { entry, etag }
    },
  }
}

function readsOf({ request, page, getVersion }: TypeRequests) {
  async function* each(query: Query = {}) {
    let cursor: string | null | undefined = ''
    while (typeof cursor === 'string') {
      const found: Page<unknown> = await page('', { limit: pageSize, ...query, cursor })
      yield* found.data
      cursor = found.pagination.nextCursor
    }
  }
  return {
    each,
    getVersion,
    list: (query?: Query) => page('', query),
    get: (id: number, query: Query = {}) =>
      request('GET', `/${id}${addressQuery(query)}`, readOptions(query)),
  }
}

function writesOf({ request, publish }: TypeRequests) {
  return {
    create: (body: unknown, options?: WriteOptions) => request('POST', '', { ...options, body }),
    update: (id: number, body: unknown, options?: WriteOptions) =>
      request('PUT', `/${id}`, { ...options, body }),
    check: (body: unknown, options?: WriteOptions) => request('POST', '/check', { ...options, body }),
    checkUpdate: (id: number, body: unknown, options?: WriteOptions) =>
      request('POST', `/${id}/check`, { ...options, body }),
    delete: (id: number, { permanent, ...options }: DeleteOptions = {}) =>
      request('DELETE', `/${id}${addressQuery({ permanent })}`, options),
    publish,
    unpublish: (id: number, options?: WriteOptions) => request('PUT', `/${id}/unpublish`, options),
    restore: (id: number, options?: WriteOptions) => request('POST', `/${id}/restore`, options),
    link: (id: number, field: string, target: number) =>
      request('POST', `/${id}/link/${field}`, { body: { id: target } }),
    unlink: (id: number, field: string, target: number) =>
      request('DELETE', `/${id}/unlink/${field}`, { body: { id: target } }),
  }
}

function bulkWritesOf({ request }: TypeRequests) {
  return {
    updateMany: (ids: readonly number[], data: unknown, options?: WriteOptions) =>
      request('PATCH', '/bulk-update', { ...options, body: { ids, data } }),
    deleteMany: (ids: readonly number[], options?: WriteOptions) =>
      request('DELETE', '/bulk-delete', { ...options, body: { ids } }),
    publishMany: (ids: readonly number[], options?: WriteOptions) =>
      request('POST', '/bulk-publish', { ...options, body: { ids } }),
    unpublishMany: (ids: readonly number[], options?: WriteOptions) =>
      request('POST', '/bulk-unpublish', { ...options, body: { ids } }),
    /** The service deletes part of the trash with each request. */
    async emptyTrash(query: Query = {}): Promise<number> {
      const address = `/trash${addressQuery(query)}`
      for (let count = 0; ; ) {
        const purged = (await request('DELETE', address, readOptions(query))) as Written & {
          hasMore: boolean
        }
        count += purged.count
        if (!purged.hasMore) return count
      }
    },
  }
}

function draftsOf({ request }: TypeRequests) {
  return {
    draftChanges: (id: number, options?: WriteOptions) => request('GET', `/${id}/draft`, options),
    discardDraft: (id: number, options?: WriteOptions) => request('DELETE', `/${id}/draft`, options),
  }
}

function revisionsOf({ request, page }: TypeRequests) {
  return {
    revisions: (id: number, query?: Query) => page(`/${id}/revisions`, query),
    revision: (id: number, revisionId: number, options?: WriteOptions) =>
      request('GET', `/${id}/revisions/${revisionId}`, options),
    restoreRevision: (id: number, revisionId: number, options?: WriteOptions) =>
      request('POST', `/${id}/revisions/${revisionId}/restore`, options),
  }
}

function aggregatesOf({ request }: TypeRequests) {
  const aggregate = (query: Query, groupBy?: readonly string[]) =>
    request('GET', `/aggregate${addressQuery({ ...query, groupBy })}`, readOptions(query))
  return {
    aggregate: async (query: Query) => ((await aggregate(query)) as { value: AggregateValue }).value,
    aggregateBy: (groupBy: readonly string[], query: Query) => aggregate(query, groupBy),
    distinct: (query: Query) => request('GET', `/distinct${addressQuery(query)}`, readOptions(query)),
  }
}

function localizationsOf({ request }: TypeRequests) {
  return {
    localizations: (id: number, options?: WriteOptions) => request('GET', `/${id}/localizations`, options),
    localize: (id: number, body: unknown, options?: WriteOptions) =>
      request('POST', `/${id}/localizations`, { ...options, body }),
  }
}
