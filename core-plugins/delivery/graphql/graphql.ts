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

/** A request of GraphQL over HTTP. */
export interface GraphqlRequest {
  readonly source: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip: string | undefined
  /** The receiver of the response; if it disconnects, expensive database work is cancelled. */
  readonly recipient?: Recipient | undefined
  /** Refuses mutations with 405, as GET must. */
  readonly isReadOnly: boolean
}

/** The response to a GraphQL request, over HTTP or another transport. */
export interface GraphqlAnswer {
  /** The HTTP status: 200 if there is any data, otherwise the status of the first error. */
  readonly status: number
  /** Set for status 503. */
  readonly reason?: UnavailableReason | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null
    readonly errors?: readonly object[]
  }
}

/** The content types over GraphQL, for plugins that use it without HTTP. */
export interface Graphql {
  /** Does not throw for errors of the client. The first call builds the schema. */
  execute(request: GraphqlRequest): Promise<GraphqlAnswer>
  /**
   * The whole schema in the schema definition language. For an Apollo Federation subgraph, the text from which a supergraph is
   * composed.
   */
  schemaText(): Promise<string>
}

/** Runs GraphQL requests within the service. */
export const graphqlService: ServiceToken<Graphql> = service('graphql')

/**
 * Additions of a plugin to GraphQL: fields of entries, besides those of their content type, and fields of `Query` and
 * `Mutation`. If content types or an earlier plugin already use one of its names, the extension is left out.
 */
export interface GraphqlExtension {
  /** Object types, enums and input types of the plugin, in GraphQL's schema language: `type ReadingTime { minutes: Int! }`. */
  readonly types?: string
  /** The fields of one content type by name; called once per type, at the first use of GraphQL. */
  readonly fieldsOf?: (type: ContentType) => Readonly<Record<string, GraphqlField>>
  /** Fields of `Query` by name; they must be safe to repeat, since GET executes them too. */
  readonly queries?: Readonly<Record<string, GraphqlRootField>>
  /** Fields of `Mutation` by name. They run one after the other, in the order of the document. */
  readonly mutations?: Readonly<Record<string, GraphqlRootField>>
}

/** A field of `Query` or `Mutation`. Introspection hides it from callers who may not use it. */
export interface GraphqlRootField {
  /**
   * A scalar of the schema or a type of the plugin, or a list of it; never with `!`, so that an error affects only this field.
   */
  readonly type: string
  /** For example `path: String!, options: RedirectInput`. */
  readonly arguments?: string
  readonly description?: string
  /** The access rule, with `access`, `scope` and `policies` as for routes; checked before `resolve` is called. */
  readonly access: Access
  readonly scope?: string | readonly string[]
  readonly policies?: readonly string[]
  /**
   * Resolves the field. `args` and the result are coerced to the declared types. Errors are reported as in routes: an AppError
   * with its code, all others as `INTERNAL_ERROR`.
   */
  readonly resolve: (args: Readonly<Record<string, unknown>>, caller: GraphqlRootCaller) => Awaitable<unknown>
}

/** A field that a plugin adds to the entries of a type. */
export interface GraphqlField {
  /**
   * A scalar of the schema or a type of the plugin, or a list of it; never with `!`, so that an error affects only this field.
   */
  readonly type: string
  /** For example `unit: String = "minutes", rounded: Boolean`. */
  readonly arguments?: string
  readonly description?: string
  /** Attributes to read for the field, besides `id`. */
  readonly needs?: readonly string[]
  /**
   * Resolves the field for all entries of a level at once; results are in the order of the queries. The caller may see all of
   * these entries. A thrown error is reported for each of them, an `Error` among the results only for its entry.
   */
  readonly load: (queries: readonly GraphqlFieldQuery[], caller: GraphqlCaller) => Promise<readonly unknown[]>
}

/** An entry for which the field is requested, with its arguments. */
export interface GraphqlFieldQuery {
  /** Contains `id` and the needed attributes. */
  readonly entry: Readonly<Record<string, unknown>> & { readonly id: number }
  readonly args: Readonly<Record<string, unknown>>
}

/** Types and fields that plugins add to the GraphQL schema. Contribute in `register` or `init`. */
export const graphqlExtensions: ExtensionPoint<GraphqlExtension> = extensionPoint('graphqlExtensions')
