import type { GraphQLNamedType } from 'graphql'
import type { ContentAction } from '../../auth/auth.ts'
import {
  type Attribute,
  type ContentType,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../schemas/schemas.ts'
import type { PluginRootMeaning } from './meaning.ts'
import type { GraphqlNames } from './names.ts'
import type { PluginFields } from './plugin-fields.ts'

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
  /** What plugins add. */
  readonly pluginFields: PluginFields
  /** Leaves out what a caller may not do; entries of system types are shown with whatever points at them. */
  readonly may: (type: string, action: ContentAction) => boolean
  /** Leaves out what plugins add to `Query` and `Mutation` for others than the caller. */
  readonly mayUse: (root: PluginRootMeaning) => boolean
  /** Makes each named type once. */
  once<T extends GraphQLNamedType>(name: string, make: () => T): T
}

/** A field that entries of a type show: an attribute, or one that the service adds. */
export interface ShownField {
  readonly name: string
  readonly attribute: Attribute | undefined
}

/** The fields of a type, without relations to types that the caller may not read. */
export function shownFields(type: ContentType, parts: SchemaParts): ShownField[] {
  return parts
    .fieldNames(type.name)
    .map((name) => ({ name, attribute: type.attributes.get(name) }))
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
