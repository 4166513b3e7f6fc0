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

/** The additions of features; created for every variant of the schema, since they refer to entry types. */
export interface FeatureFields {
  readonly roots: readonly FeatureRootMeaning[]
  query(parts: SchemaParts): GraphQLFieldConfigMap<unknown, unknown>
  mutation(parts: SchemaParts): GraphQLFieldConfigMap<unknown, unknown>
}

/** Everything from which a schema is built. */
export interface SchemaParts {
  readonly schemas: Schemas
  readonly names: GraphqlNames
  /** The names of the fields of a type's entries. */
  readonly fieldNames: (type: string) => readonly string[]
  /** Whether entries of a type may have drafts. */
  readonly keepsDrafts: (type: string) => boolean
  /** Whether reads of a type have a parameter that another plugin adds. */
  readonly takes: (type: string, parameter: string) => boolean
  /** The schemas of the parameters that plugins add to reads of a type, by name. */
  readonly addedParameters: (type: string) => Readonly<Record<string, TSchema>>
  /** The fields of a type's entries from columns that plugins add. */
  readonly addedFields: (type: string) => readonly AddedField[]
  /** The additions of plugins. */
  readonly pluginFields: PluginFields
  readonly features: FeatureFields
  /** The available operations on entries. */
  readonly operations: readonly OfferedOperation[]
  /**
   * Says whether the caller may do something; other things are left out. Entries of system types are shown with the entries
   * that refer to them.
   */
  readonly may: (type: string, action: ContentAction) => boolean
  /** Says whether the caller may use a root field of a plugin; others are left out. */
  readonly mayUse: (root: UsableRoot) => boolean
  /** Attributes that always have a value; see `promisedAttributes`. */
  readonly promised: ReadonlySet<Attribute>
  /**
   * `told`: the schema that callers see, with non-null types as the schema files promise. `served`: the schema for validation
   * and execution, without non-null types. So a value that is missing nevertheless does not void the rest of the response, and
   * the content service reports missing input together with all other errors.
   */
  readonly purpose: 'told' | 'served'
  /** Whether other subgraphs may reference entries; see docs/graphql.md. */
  readonly isSubgraph: boolean
  /** Whether subscriptions are available. */
  readonly hasSubscriptions: boolean
  /** Creates each named type once. */
  once<T extends GraphQLNamedType>(name: string, make: () => T): T
}

/** A field of entries: an attribute, or a field that the service adds. */
export interface ShownField {
  readonly name: string
  readonly attribute: Attribute | undefined
  /** The kind of a plugin's column. */
  readonly kind?: ColumnKind | undefined
}

/** The fields of a type, without relations to types that the caller may not read. */
export function shownFields(type: ContentType, parts: SchemaParts): ShownField[] {
  // In REST these are optional; here all fields are available.
  const askedFor = hasUuid(type) ? ['uuid'] : []
  const kinds = new Map(parts.addedFields(type.name).map(({ name, kind }) => [name, kind]))
  return [...parts.fieldNames(type.name), ...askedFor]
    .map((name) => ({ name, attribute: type.attributes.get(name), kind: kinds.get(name) }))
    .filter(({ attribute }) => attribute === undefined || isReachable(attribute, parts))
}

/** Whether entries of a type have a locale. */
export function hasLocales({ name, attributes }: ContentType, { fieldNames }: SchemaParts): boolean {
  return !attributes.has('locale') && fieldNames(name).includes('locale')
}

/** Whether the caller may read the target of a relation; true for system types and for other attributes. */
export function isReachable(attribute: Attribute, { schemas, may }: SchemaParts): boolean {
  if (attribute.type !== 'relation') return true
  const target = schemas.allTypes.get(attribute.target)
  return target !== undefined && (target.system || may(target.name, 'read'))
}

/** The target type of a relation or media attribute; undefined for other attributes. */
export function targetOf(attribute: Attribute, { schemas }: SchemaParts): ContentType | undefined {
  return isReference(attribute) ? schemas.allTypes.get(targetNameOf(attribute)) : undefined
}

/**
 * Attributes that every saved entry has: a condition waives `required`, and so do types whose drafts may be incomplete.
 * Relations are nullable anyway, since related entries may be hidden from the caller.
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

/** Makes the type non-null in the schema that callers see. */
export function promise<T extends GraphQLNullableType>(
  type: T | GraphQLNonNull<T>,
  { purpose }: SchemaParts,
): T | GraphQLNonNull<T> {
  return purpose === 'served' || type instanceof GraphQLNonNull ? type : new GraphQLNonNull(type)
}
