import {
  type Awaitable,
  type ExtensionPoint,
  extensionPoint,
  type ServiceToken,
  service,
} from '../../../kernel/index.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import type { Access, Principal, UnavailableReason } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { GraphqlCaller, GraphqlRootCaller } from './callers.ts'

export type { GraphqlCaller, GraphqlRootCaller } from './callers.ts'
export {
  type AskedFields,
  EntryReference,
  type GraphqlFeature,
  type GraphqlFeatureCaller,
  type GraphqlFeatureField,
  type GraphqlFeatureFields,
  type GraphqlTypeNames,
  graphqlFeatures,
} from './features.ts'
export { scalarOfKind } from './schema/column-scalars.ts'
export { isEnumValue } from './schema/enum-value.ts'
export { addedArgumentsText } from './schema/parameter-types.ts'

/** What a client sends, as GraphQL over HTTP has it. */
export interface GraphqlRequest {
  readonly source: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip: string | undefined
  /** Whose going ends what is costly to the database. */
  readonly recipient?: Recipient | undefined
  /** Refuses mutations with 405: what GET must never do. */
  readonly isReadOnly: boolean
}

/** What a GraphQL request is answered with, over HTTP or another way. */
export interface GraphqlAnswer {
  /** Of the HTTP answer: 200 where any data is answered, that of the first error otherwise. */
  readonly status: number
  /** Of a 503. */
  readonly reason?: UnavailableReason | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null
    readonly errors?: readonly object[]
  }
}

/** The content types over GraphQL, for plugins that have another way to it than HTTP. */
export interface Graphql {
  /** Never throws for what the client did; the schema is made at the first call. */
  execute(request: GraphqlRequest): Promise<GraphqlAnswer>
  /**
   * The schema in the schema definition language, with all that anybody may use. Of a subgraph of Apollo Federation, what a
   * supergraph is composed of.
   */
  schemaText(): Promise<string>
}

/** Runs GraphQL requests within the service. */
export const graphqlService: ServiceToken<Graphql> = service('graphql')

/**
 * What a plugin adds to GraphQL: fields of entries, beside those of their content type, and fields of `Query` and
 * `Mutation`. Names that are taken already, by content types or by an earlier plugin, leave the extension out.
 */
export interface GraphqlExtension {
  /**
   * Object types, enums and input types of its own, in GraphQL's schema language:
   * `type ReadingTime { minutes: Int! }`.
   */
  readonly types?: string
  /** The fields of one content type by their names; asked once, when GraphQL is used first. */
  readonly fieldsOf?: (type: ContentType) => Readonly<Record<string, GraphqlField>>
  /** Fields of `Query` by their names; each must be safe to run at any time, since GET executes them too. */
  readonly queries?: Readonly<Record<string, GraphqlRootField>>
  /** Fields of `Mutation` by their names. They run one after the other, in the order of the document. */
  readonly mutations?: Readonly<Record<string, GraphqlRootField>>
}

/** A field of `Query` or `Mutation`. Who may not use it does not see it in introspection either. */
export interface GraphqlRootField {
  /** A scalar of the schema or a type of the plugin's own, or a list of it; never `!`, so that it fails by itself. */
  readonly type: string
  /** `path: String!, options: RedirectInput` */
  readonly arguments?: string
  readonly description?: string
  /** Who may use it, as `access`, `scope` and `policies` of a route say it; checked before `resolve` is called. */
  readonly access: Access
  readonly scope?: string | readonly string[]
  readonly policies?: readonly string[]
  /**
   * Answers the field. `args` are as the declared types coerce them; so is what it returns. What it throws is answered
   * as a route would: an AppError with its code, anything else as `INTERNAL_ERROR`.
   */
  readonly resolve: (args: Readonly<Record<string, unknown>>, caller: GraphqlRootCaller) => Awaitable<unknown>
}

/** A field that a plugin adds to a type of entries. */
export interface GraphqlField {
  /** A scalar of the schema or a type of the plugin's own, or a list of it; never `!`, so that it fails by itself. */
  readonly type: string
  /** `unit: String = "minutes", rounded: Boolean` */
  readonly arguments?: string
  readonly description?: string
  /** Attributes that are read for it, beside `id`. */
  readonly needs?: readonly string[]
  /**
   * Answers the field for all entries on a level at once, in the order of the queries. Entries are those that the caller
   * may see. What it throws is told at every one of them, an `Error` among the answers at one.
   */
  readonly load: (queries: readonly GraphqlFieldQuery[], caller: GraphqlCaller) => Promise<readonly unknown[]>
}

/** An entry whose field is asked for, with the arguments of that place. */
export interface GraphqlFieldQuery {
  /** With `id` and what the field needs. */
  readonly entry: Readonly<Record<string, unknown>> & { readonly id: number }
  readonly args: Readonly<Record<string, unknown>>
}

/** Types and fields that plugins add to the GraphQL schema. Contribute in `register` or `init`. */
export const graphqlExtensions: ExtensionPoint<GraphqlExtension> = extensionPoint('graphqlExtensions')
