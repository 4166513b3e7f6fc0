import { type Changes, createChanges } from './changes.ts'
import { type Collection, createCollection } from './collection.ts'
import { absoluteAddress } from './file-address.ts'
import { createGraphql, type Graphql } from './graphql.ts'
import { follow, type Live, type LiveOptions } from './live.ts'
import { createMediaLibrary, type MediaLibrary } from './media-library.ts'
import { createSearch, type Search } from './search.ts'
import { createAdminSessions, createUserSessions, type Sessions, type UserSessions } from './sessions.ts'
import type { TypeShape } from './shape.ts'
import { createSingle, type Single } from './single.ts'
import { createSubscribe, type Subscribe } from './subscribe.ts'
import { createTransport, type SendOptions, type TransportOptions } from './transport.ts'

export type { Revision, TranslationMeta } from './answers.ts'
export type {
  ChangeBatch,
  ChangeOptions,
  Changes,
  EntryChange,
  FollowedName,
  SnapshotOptions,
} from './changes.ts'
export type {
  AggregateFunction,
  AggregateQuery,
  AggregateValue,
  Checked,
  Collection,
  DraftChanges,
  RevisionQuery,
  Written,
} from './collection.ts'
export type { PublishOptions, WriteOptions } from './entry-request.ts'
export type { Graphql, GraphqlOptions } from './graphql.ts'
export type { ImageFit, ImageFormat, ImageOptions } from './images.ts'
export type { ListQuery, Page, Pagination, ReadQuery, Selection } from './list-query.ts'
export type { Live, LiveChange, LiveOptions } from './live.ts'
export type {
  MediaArea,
  MediaCount,
  MediaDescription,
  MediaFile,
  MediaLibrary,
  MediaQuery,
  MediaUsage,
  Upload,
  UploadOptions,
} from './media-library.ts'
export { type ErrorDetail, MortiseError, type UnavailableReason } from './mortise-error.ts'
export type { Populate } from './populate.ts'
export { queryString } from './query-string.ts'
export type { FieldName, Result } from './result.ts'
export type { Search, SearchHit, SearchOptions } from './search.ts'
export type { Account, Session, Sessions, UserSessions } from './sessions.ts'
export type { FieldsShape, TypeShape } from './shape.ts'
export type { Single } from './single.ts'
export type { PlainName, Sort } from './sort.ts'
export type { Subscribe, SubscribeOptions } from './subscribe.ts'
export type { SendOptions, TransportOptions as ClientOptions } from './transport.ts'

type NameOf<Types, Kind> = {
  [Name in keyof Types]: Types[Name] extends { readonly kind: Kind } ? Name : never
}[keyof Types] &
  string

type ShapeOf<Types, Name extends keyof Types> = Extract<Types[Name], TypeShape>

/** A service, with the content types that it has. */
export interface Client<Types> extends Changes<Types> {
  /** The address of the service, without a slash at the end. */
  readonly url: string
  /** The entries of a collection type, by its singular name. */
  collection<Name extends NameOf<Types, 'collectionType'>>(name: Name): Collection<ShapeOf<Types, Name>>
  /** The entry of a single type. */
  single<Name extends NameOf<Types, 'singleType'>>(name: Name): Single<ShapeOf<Types, Name>>
  readonly search: Search<Types>
  readonly graphql: Graphql
  /** Follows a GraphQL subscription. */
  readonly subscribe: Subscribe
  readonly media: MediaLibrary
  /**
   * The address of a file, of one of its `formats`, or what `media.imageUrl` has answered, for pages on any origin: that
   * of the service stands before paths.
   */
  fileUrl(file: string | { readonly url: string }): string
  /** Content users: the end users of an application. */
  readonly users: UserSessions
  /** Admin users. */
  readonly admins: Sessions
  /** Follows what changes, until it is closed. */
  live(options: LiveOptions<keyof Types & string>): Live
  /** Any other endpoint, by its path below the API prefix. @throws MortiseError */
  send<Data>(method: string, path: string, options?: SendOptions): Promise<Data>
}

/**
 * A client of a service. `Types` is the interface `ContentTypes` that `npm run mortise -- types` generates.
 * Every method throws a MortiseError if the service refuses the request, and the error of `fetch` if there is
 * no response.
 */
export function createClient<Types>(options: TransportOptions): Client<Types> {
  const transport = createTransport(options)
  const { url } = transport
  return {
    url,
    collection: (name) => createCollection(transport, name),
    single: (name) => createSingle(transport, name),
    ...createChanges(transport),
    search: createSearch(transport),
    graphql: createGraphql(transport),
    subscribe: createSubscribe(transport),
    media: createMediaLibrary(transport),
    fileUrl: (file) => absoluteAddress((file as { readonly url?: string }).url ?? (file as string), url),
    users: createUserSessions(transport),
    admins: createAdminSessions(transport),
    live: (liveOptions) => follow(transport, liveOptions),
    send: async (method, path, sendOptions) => (await transport.send<never>(method, path, sendOptions)).data,
  }
}
