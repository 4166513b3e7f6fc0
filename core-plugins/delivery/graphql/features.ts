import type { TSchema } from 'typebox'
import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Entry } from '../../entries/content/content.ts'
import type { Access } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { GraphqlRootCaller } from './callers.ts'

/**
 * Fields of `Query` and `Mutation` through which a plugin of the service offers the functions of its REST routes. Unlike those
 * of `GraphqlExtension`, they may take filters of content types and return entries anywhere in their result.
 */
export interface GraphqlFeature extends GraphqlFeatureFields {
  /** Called once for every type, including system types, at the first use of GraphQL. */
  readonly ofType?: (type: ContentType, names: GraphqlTypeNames) => GraphqlFeatureFields
}

export interface GraphqlFeatureFields {
  /** Object types, enums and input types of its own, in GraphQL's schema language. */
  readonly types?: string
  /**
   * Names of those object types and enums whose members are attributes of the content type. Callers do not see members that
   * lead to types which they may not read.
   */
  readonly attributeTypes?: readonly string[]
  readonly queries?: GraphqlFeatureFieldsByName
  readonly mutations?: GraphqlFeatureFieldsByName
}

/** The names of a content type in the schema, for use in the texts of `ofType`. */
export interface GraphqlTypeNames {
  /** Entries: `Article` */
  readonly object: string
  /** `{ data: Article }`: `ArticleAnswer` */
  readonly answer: string
  /** `ArticleInput`, `ArticleUpdateInput` and `ArticleFiltersInput` */
  readonly input: string
  readonly updateInput: string
  readonly filters: string
  /** `articles` and `article` */
  readonly listField: string
  readonly findField: string
}

export type GraphqlFeatureFieldsByName = Readonly<Record<string, GraphqlFeatureField>>

export interface GraphqlFeatureField {
  /**
   * A type of the plugin or a list of it; never with `!`, so that an error affects only this field. `Pagination` and the names
   * of the type are available, and `AnyEntry` is an entry of any type that the caller may read. For entries, `resolve` returns
   * an `EntryReference`; entries that the caller may not see become null, or are left out of a list.
   */
  readonly type: string
  readonly arguments?: string
  readonly description?: string
  /**
   * The same access rule as that of the corresponding route; `params.type` of policies is the type to which the field belongs.
   */
  readonly access: Access
  readonly scope?: string | readonly string[]
  readonly policies?: readonly string[]
  /** A schema for arguments beyond GraphQL's type system, the same that the route checks. Filters have the form of REST. */
  readonly takes?: TSchema
  /** Arguments for which null differs from leaving them out. */
  readonly nullable?: readonly string[]
  /** Whether its reads report to the recipient what they depend on, so that responses can be cached as those of its route are. */
  readonly isObserved?: boolean
  /** The cost of the field in addition to one statement. The arguments have not been checked yet. */
  readonly effort?: (args: Readonly<Record<string, unknown>>, asked: AskedFields) => FeatureEffort
  readonly resolve: (
    args: Readonly<Record<string, unknown>>,
    caller: GraphqlFeatureCaller,
  ) => Awaitable<unknown>
}

export interface FeatureEffort {
  /** The number of additional statements. */
  readonly statements?: number
  /** The maximum number of entries that are written. */
  readonly writes?: number
}

export interface GraphqlFeatureCaller extends GraphqlRootCaller {
  /** The requested fields of the result by name, with the fields inside them. */
  readonly asked: AskedFields
}

export interface AskedFields {
  readonly [name: string]: AskedFields
}

/** An entry in the result of a feature, which is read with the selected fields if the caller may see it. */
export class EntryReference {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  /** The entry as a write returned it; only what is missing is read. */
  readonly written: Entry | undefined

  constructor(type: string, id: number, written?: Entry) {
    this.type = type
    this.id = id
    this.written = written
  }
}

/** Contribute in `init`. A feature with names that content types or others already use is left out. */
export const graphqlFeatures: ExtensionPoint<GraphqlFeature> = extensionPoint('graphqlFeatures')
