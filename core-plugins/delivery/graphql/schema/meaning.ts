import type { GraphQLField, GraphQLInputField } from 'graphql'
import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { GuardCheck } from '../../../foundation/http/http.ts'
import type { GraphqlFeatureField } from '../features.ts'
import type { GraphqlRootField, GraphqlField as PluginField } from '../graphql.ts'

/** What a field of the schema is in an entry. */
export type FieldMeaning =
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'reference'; readonly name: string; readonly isInverse: boolean }
  /** How many entries a relation leads to. */
  | { readonly kind: 'total'; readonly name: string }
  | { readonly kind: 'component'; readonly name: string; readonly uid: string }
  | { readonly kind: 'zone'; readonly name: string; readonly uidOf: ReadonlyMap<string, string> }
  | { readonly kind: 'plugin'; readonly definition: PluginField }

export type WriteVerb = 'create' | 'update' | 'delete' | 'publish' | 'unpublish'

/** What a field of `Query`, `Mutation` or `Subscription` does. `type` is the singular name of a content type. */
export type RootMeaning =
  | { readonly kind: 'list' | 'find' | 'single'; readonly type: string }
  | {
      readonly kind: WriteVerb
      readonly type: string
      readonly isSingle: boolean
      readonly right: ContentAction
    }
  /** What Apollo Federation asks of a subgraph. */
  | { readonly kind: 'entities' }
  | { readonly kind: 'service' }
  /** Of `Subscription`. */
  | { readonly kind: 'changed'; readonly type: string }
  | UsableRoot

/** A plugin answers it, to whom `check` lets pass. */
export interface PluginRootMeaning {
  readonly kind: 'plugin'
  readonly definition: GraphqlRootField
  readonly check: GuardCheck
}

/** A feature answers it, to whom `check` lets pass. */
export interface FeatureRootMeaning {
  readonly kind: 'feature'
  readonly definition: GraphqlFeatureField
  readonly check: GuardCheck
  /** The type that it belongs to, for policies. */
  readonly type: string | undefined
  readonly isMutation: boolean
}

/** Whose own rule says who may use it. */
export type UsableRoot = PluginRootMeaning | FeatureRootMeaning

type WithExtensions = { readonly extensions: Readonly<Record<string, unknown>> }

export const fieldMeaning = (meaning: FieldMeaning) => ({ extensions: { meaning } })
export const rootMeaning = (root: RootMeaning) => ({ extensions: { root } })
/** The key of a filter as the content service knows it: `$eq` for `eq`. */
export const filterKey = (key: string) => ({ extensions: { key } })

/** A member of a filter that lists places in JSON: each has a `path`, and what is asked of the value there. */
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
