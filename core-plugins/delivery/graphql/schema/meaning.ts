import type { GraphQLField, GraphQLInputField } from 'graphql'
import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { GuardCheck } from '../../../foundation/http/http.ts'
import type { GraphqlFeatureField } from '../features.ts'
import type { GraphqlRootField, GraphqlField as PluginField } from '../graphql.ts'

/** Maps a field of the schema to its part of an entry. */
export type FieldMeaning =
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'reference'; readonly name: string; readonly isInverse: boolean }
  /** The number of entries in a relation. */
  | { readonly kind: 'total'; readonly name: string }
  | { readonly kind: 'component'; readonly name: string; readonly uid: string }
  | { readonly kind: 'zone'; readonly name: string; readonly uidOf: ReadonlyMap<string, string> }
  | { readonly kind: 'plugin'; readonly definition: PluginField }

export type WriteVerb = 'create' | 'update' | 'delete' | 'publish' | 'unpublish'

/** The function of a field of `Query`, `Mutation` or `Subscription`. `type` is the singular name of a content type. */
export type RootMeaning =
  | { readonly kind: 'list' | 'find' | 'single'; readonly type: string }
  | {
      readonly kind: WriteVerb
      readonly type: string
      readonly isSingle: boolean
      readonly right: ContentAction
    }
  /** Fields of Apollo Federation. */
  | { readonly kind: 'entities' }
  | { readonly kind: 'service' }
  /** Only for `Subscription`. */
  | { readonly kind: 'changed'; readonly type: string }
  | UsableRoot

/** A root field of a plugin; `check` decides who may use it. */
export interface PluginRootMeaning {
  readonly kind: 'plugin'
  readonly definition: GraphqlRootField
  readonly check: GuardCheck
}

/** A root field of a feature; `check` decides who may use it. */
export interface FeatureRootMeaning {
  readonly kind: 'feature'
  readonly definition: GraphqlFeatureField
  readonly check: GuardCheck
  /** The type to which it belongs, for policies. */
  readonly type: string | undefined
  readonly isMutation: boolean
}

/** Root fields with their own access rule. */
export type UsableRoot = PluginRootMeaning | FeatureRootMeaning

type WithExtensions = { readonly extensions: Readonly<Record<string, unknown>> }

export const fieldMeaning = (meaning: FieldMeaning) => ({ extensions: { meaning } })
export const rootMeaning = (root: RootMeaning) => ({ extensions: { root } })
/** The key of a filter in the content service: `$eq` for `eq`. */
export const filterKey = (key: string) => ({ extensions: { key } })

/** Marks a member of a filter that lists values inside JSON, each with a `path` and conditions. */
export const jsonPlaces = { extensions: { isJsonPlaces: true } }

export function listsJsonPlaces({ extensions }: GraphQLInputField): boolean {
  return extensions.isJsonPlaces === true
}

export function meaningOf(field: GraphQLField<unknown, unknown>): FieldMeaning | undefined {
  return (field as WithExtensions).extensions.meaning as FieldMeaning | undefined
}

export function rootMeaningOf(field: GraphQLField<unknown, unknown> | undefined): RootMeaning | undefined {
  return (field as WithExtensions | undefined)?.extensions.root as RootMeaning | undefined
}

export function filterKeyOf(field: GraphQLInputField): string {
  return ((field as WithExtensions).extensions.key as string | undefined) ?? field.name
}
