import type { PublishOptions, WriteOptions } from './collection.ts'
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
  /** Makes the entry, or changes the fields that are sent. */
  save(input: Partial<Shape['input']>, options?: WriteOptions): Promise<Result<Shape>>
  delete(options?: WriteOptions): Promise<Result<Shape>>
  publish(options?: PublishOptions): Promise<Result<Shape>>
  unpublish(options?: WriteOptions): Promise<Result<Shape>>
}

/** Makes the access to a single type by its singular name. */
export function createSingle<Shape extends TypeShape>(transport: Transport, name: string): Single<Shape> {
  const path = `/content/${encodeURIComponent(name)}`
  type Query = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }

  async function data(
    method: string,
    address: string,
    { ifMatch, signal, body }: WriteOptions & { body?: unknown } = {},
  ) {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    return (await transport.send(method, address, { body, headers, signal })).data
  }

  /** The routes that publish want the id. */
  async function idOf(options: WriteOptions): Promise<number> {
    const only = options.signal === undefined ? {} : { signal: options.signal }
    return ((await data('GET', `${path}?fields=id`, only)) as { id: number }).id
  }

  const single = {
    get: (query: Query = {}) =>
      data('GET', path + addressQuery(query), query.signal === undefined ? {} : { signal: query.signal }),
    save: (body: unknown, options?: WriteOptions) => data('PUT', path, { ...options, body }),
    delete: (options?: WriteOptions) => data('DELETE', path, options),
    async publish({ publishedAt, ...options }: PublishOptions = {}) {
      const body = publishedAt === undefined ? {} : { body: { publishedAt } }
      return data('PUT', `${path}/${await idOf(options)}/publish`, { ...options, ...body })
    },
    unpublish: async (options: WriteOptions = {}) =>
      data('PUT', `${path}/${await idOf(options)}/unpublish`, options),
  }
  return single as unknown as Single<Shape>
}
