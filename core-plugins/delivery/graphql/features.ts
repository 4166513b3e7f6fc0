import type { TSchema } from 'typebox'
import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Entry } from '../../entries/content/content.ts'
import type { Access } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { GraphqlRootCaller } from './callers.ts'

/**
 * Fields of `Query` and `Mutation` by which a plugin of the service offers over GraphQL what it offers over REST. Unlike those of
 * `GraphqlExtension` they may take the filters of content types and answer entries, in whatever place of their answer.
 */
export interface GraphqlFeature extends GraphqlFeatureFields {
  /** Asked once for every type, system types included, when GraphQL is used first. */
  readonly ofType?: (type: ContentType, names: GraphqlTypeNames) => GraphqlFeatureFields
}

export interface GraphqlFeatureFields {
  /** Object types, enums and input types of its own, in GraphQL's schema language. */
  readonly types?: string
  /**
   * Names of those object types and enums whose members are attributes of the content type: nobody is told of the ones that lead to
   * types that are closed to them.
   */
  readonly attributeTypes?: readonly string[]
  readonly queries?: GraphqlFeatureFieldsByName
  readonly mutations?: GraphqlFeatureFieldsByName
}

/** What a content type is called in the schema: names that the texts of `ofType` may contain. */
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
   * A type of the plugin's own, or a list of it; never `!`, so that it fails by itself. `Pagination` and the names of the type are
   * known, and `AnyEntry` is an entry of whatever type the caller may read. In places of entries `resolve` puts an
   * `EntryReference`; entries that the caller does not see are null there, or left out of a list.
   */
  readonly type: string
  readonly arguments?: string
  readonly description?: string
  /** Who may use it, as the route says that does the same; `params.type` of policies is the type it belongs to. */
  readonly access: Access
  readonly scope?: string | readonly string[]
  readonly policies?: readonly string[]
  /** The attributes of arguments that GraphQL cannot tell: what the route checks. Filters are in the words of REST. */
  readonly takes?: TSchema
  /** Arguments of which null means something else than leaving them out. */
  readonly nullable?: readonly string[]
  /** Its reads tell the recipient what they depend on, so that answers can be kept, as those of its route are. */
  readonly isObserved?: boolean
  /** What it takes beside one statement, for what the operation costs. Nobody has checked the arguments yet. */
  readonly effort?: (args: Readonly<Record<string, unknown>>, asked: AskedFields) => FeatureEffort
  readonly resolve: (
    args: Readonly<Record<string, unknown>>,
    caller: GraphqlFeatureCaller,
  ) => Awaitable<unknown>
}

export interface FeatureEffort {
  /** More statements. */
  readonly statements?: number
  /** Entries that are written, at most. */
  readonly writes?: number
}

export interface GraphqlFeatureCaller extends GraphqlRootCaller {
  /** Which fields of the answer are asked for, by their names, and what inside of them. */
  readonly asked: AskedFields
}

export interface AskedFields {
  readonly [name: string]: AskedFields
}

/** An entry in the answer of a feature: read with the fields that the query selects, if the caller may see it. */
export class EntryReference {
  /** Singular name. */
  readonly type: string
  readonly id: number
  /** What a write has just answered: completed instead of being read anew. */
  readonly written: Entry | undefined

  constructor(type: string, id: number, written?: Entry) {
    this.type = type
    this.id = id
    this.written = written
  }
}

/** Contribute in `init`; a feature whose names are taken, by content types or others, is left out. */
export const graphqlFeatures: ExtensionPoint<GraphqlFeature> = extensionPoint('graphqlFeatures')
