import {
  type PublishOptions,
  readOptions,
  requestEntry,
  requestPublication,
  type WriteOptions,
} from './entry-request.ts'
import { addressQuery, type ReadQuery } from './list-query.ts'
import type { Populate } from './populate.ts'
import type { FieldName, Result } from './result.ts'
import type { TypeShape } from './shape.ts'
import type { Transport } from './transport.ts'

/** The one entry of a single type. */
export interface Single<Shape extends TypeShape> {
  get<
    const Populated extends Populate<Shape> | undefined = undefined,
    const Fields extends FieldName<Shape> = FieldName<Shape>,
  >(query?: ReadQuery<Shape, Populated, Fields>): Promise<Result<Shape, Populated, Fields>>
  /** Creates the entry, or changes the fields that are sent. */
  save(input: Partial<Shape['input']>, options?: WriteOptions): Promise<Result<Shape>>
  delete(options?: WriteOptions): Promise<Result<Shape>>
  publish(options?: PublishOptions): Promise<Result<Shape>>
  unpublish(options?: WriteOptions): Promise<Result<Shape>>
}

/** Makes the access to a single type by its singular name. */
export function createSingle<Shape extends TypeShape>(transport: Transport, name: string): Single<Shape> {
  const path = `/content/${encodeURIComponent(name)}`
  type Query = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }
  const request = (method: string, address: string, options?: WriteOptions & { body?: unknown }) =>
    requestEntry(transport, method, address, options)

  /** The publication routes need the id. */
  async function entryPath(options: WriteOptions): Promise<string> {
    const { id } = (await request('GET', `${path}?fields=id`, readOptions(options))) as { id: number }
    return `${path}/${id}`
  }

  const single = {
    get: (query: Query = {}) => request('GET', path + addressQuery(query), readOptions(query)),
    save: (body: unknown, options?: WriteOptions) => request('PUT', path, { ...options, body }),
    delete: (options?: WriteOptions) => request('DELETE', path, options),
    publish: async (options: PublishOptions = {}) =>
      requestPublication(transport, await entryPath(options), options),
    unpublish: async (options: WriteOptions = {}) =>
      request('PUT', `${await entryPath(options)}/unpublish`, options),
  }
  return single as unknown as Single<Shape>
}
