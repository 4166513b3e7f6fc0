import {
  type GraphQLFieldConfigMap,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLNullableType,
} from 'graphql'
import type { TSchema } from 'typebox'
import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { AddedField, OfferedOperation } from '../../../entries/content/content.ts'
import type { ColumnKind } from '../../../foundation/database/database.ts'
import {
  type Attribute,
  type ContentType,
  hasUuid,
  isReference,
  relaxedSchemas,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { FeatureRootMeaning, UsableRoot } from './meaning.ts'
import type { GraphqlNames } from './names.ts'
import type { PluginFields } from './plugin-fields.ts'

/** What features add to the schema; made anew for every part of it, since it leads to entries. */
export interface FeatureFields {
  readonly roots: readonly FeatureRootMeaning[]
  query(parts: SchemaParts): GraphQLFieldConfigMap<unknown, unknown>
  mutation(parts: SchemaParts): GraphQLFieldConfigMap<unknown, unknown>
}

/** What the schema is made of. */
export interface SchemaParts {
  readonly schemas: Schemas
  readonly names: GraphqlNames
  /** Names of the fields that entries of a type show. */
  readonly fieldNames: (type: string) => readonly string[]
  /** Whether entries of a type may have drafts beside them. */
  readonly keepsDrafts: (type: string) => boolean
  /** Whether reads of a type take a parameter that another plugin adds. */
  readonly takes: (type: string, parameter: string) => boolean
  /** The schemas of the parameters that plugins add to reads of a type, by name. */
  readonly addedParameters: (type: string) => Readonly<Record<string, TSchema>>
  /** The fields of entries of a type from columns that plugins add. */
  readonly addedFields: (type: string) => readonly AddedField[]
  /** What plugins add. */
  readonly pluginFields: PluginFields
  readonly features: FeatureFields
  /** What can be done with entries. */
  readonly operations: readonly OfferedOperation[]
  /** Leaves out what a caller may not do; entries of system types are shown with whatever points at them. */
  readonly may: (type: string, action: ContentAction) => boolean
  /** Leaves out what plugins add to `Query` and `Mutation` for others than the caller. */
  readonly mayUse: (root: UsableRoot) => boolean
  /** Attributes that always have a value; see `promisedAttributes`. */
  readonly promised: ReadonlySet<Attribute>
  /**
   * `told`: as callers are told of it, with all that the schema files promise. `served`: as documents are checked and
   * executed, without promises: a value that is missing nevertheless costs nobody the rest of the answer, and what a payload
   * lacks is told by the content service, with everything else that is wrong with it.
   */
  readonly purpose: 'told' | 'served'
  /** Whether other subgraphs may refer to entries; see docs/graphql.md. */
  readonly isSubgraph: boolean
  /** Whether there is anything to subscribe to. */
  readonly hasSubscriptions: boolean
  /** Makes each named type once. */
  once<T extends GraphQLNamedType>(name: string, make: () => T): T
}

/** A field that entries of a type show: an attribute, or one that the service adds. */
export interface ShownField {
  readonly name: string
  readonly attribute: Attribute | undefined
  /** What the column of a plugin holds. */
  readonly kind?: ColumnKind | undefined
}

/** The fields of a type, without relations to types that the caller may not read. */
export function shownFields(type: ContentType, parts: SchemaParts): ShownField[] {
  // What REST shows where it is asked for; here everything is.
  const askedFor = hasUuid(type) ? ['uuid'] : []
  const kinds = new Map(parts.addedFields(type.name).map(({ name, kind }) => [name, kind]))
  return [...parts.fieldNames(type.name), ...askedFor]
    .map((name) => ({ name, attribute: type.attributes.get(name), kind: kinds.get(name) }))
    .filter(({ attribute }) => attribute === undefined || isReachable(attribute, parts))
}

/** Whether entries of a type show a locale. */
export function hasLocales({ name, attributes }: ContentType, { fieldNames }: SchemaParts): boolean {
  return !attributes.has('locale') && fieldNames(name).includes('locale')
}

/** Whether a relation leads to a type that the caller may read; anything else does not lead anywhere. */
export function isReachable(attribute: Attribute, { schemas, may }: SchemaParts): boolean {
  if (attribute.type !== 'relation') return true
  const target = schemas.allTypes.get(attribute.target)
  return target !== undefined && (target.system || may(target.name, 'read'))
}

/** The type that a relation or media attribute points at; undefined for other attributes. */
export function targetOf(attribute: Attribute, { schemas }: SchemaParts): ContentType | undefined {
  return isReference(attribute) ? schemas.allTypes.get(targetNameOf(attribute)) : undefined
}

/**
 * Attributes that no entry can be saved without: a condition waives `required`, and so do types whose drafts may be
 * incomplete. Whatever a relation leads to may be hidden from the caller.
 */
export function promisedAttributes(schemas: Schemas): ReadonlySet<Attribute> {
  const relaxed = relaxedSchemas(schemas)
  const owners = [
    ...[...schemas.allTypes].map(([name, type]) => [type, relaxed.allTypes.get(name)] as const),
    ...[...schemas.components].map(([uid, component]) => [component, relaxed.components.get(uid)] as const),
  ]
  return new Set(
    owners.flatMap(([{ attributes }, least]) =>
      [...attributes.values()].filter(
        ({ name, condition }) => condition === undefined && least?.attributes.get(name)?.required === true,
      ),
    ),
  )
}

/** `type!` where callers are told of it. */
export function promise<T extends GraphQLNullableType>(
  type: T | GraphQLNonNull<T>,
  { purpose }: SchemaParts,
): T | GraphQLNonNull<T> {
  return purpose === 'served' || type instanceof GraphQLNonNull ? type : new GraphQLNonNull(type)
}
