import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLUnionType,
} from 'graphql'
import {
  type Attribute,
  type ComponentType,
  type ContentType,
  type DynamicZoneAttribute,
  isInverse,
  isReference,
  isToMany,
} from '../../../foundation/schemas/schemas.ts'
import { scalarOfKind } from './column-scalars.ts'
import { filtersType } from './filter-types.ts'
import { fieldMeaning } from './meaning.ts'
import { anyJson, booleanScalar, dateTimeScalar, intScalar, stringScalar } from './scalars.ts'
import {
  isReachable,
  promise,
  type SchemaParts,
  type ShownField,
  shownFields,
  targetOf,
} from './schema-parts.ts'
import { scalars, valueType } from './value-types.ts'

type Field = GraphQLFieldConfig<unknown, unknown>
type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** `[T!]!` */
export const listOf = (type: GraphQLOutputType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type as GraphQLObjectType)))

/** The object type of a content type's entries. */
export function objectType(type: ContentType, parts: SchemaParts): GraphQLObjectType {
  const { object } = parts.names.ofType(type)
  return parts.once(
    object,
    () =>
      new GraphQLObjectType({
        name: object,
        description: type.description || type.displayName,
        extensions: { entryType: type.name },
        fields: () => ({
          ...totalFields(
            shownFields(type, parts).flatMap(({ attribute }) => attribute ?? []),
            parts,
          ),
          ...Object.fromEntries(shownFields(type, parts).map((field) => [field.name, fieldOf(field, parts)])),
          ...draftField(type, parts),
          ...parts.pluginFields.ofTypes.get(type.name),
        }),
      }),
  )
}

/** The name of the content type whose entries an object type represents; undefined for other object types. */
export function entryTypeOf({ extensions }: GraphQLObjectType): string | undefined {
  return extensions.entryType as string | undefined
}

/** The object type of a component's items. */
export function componentType(component: ComponentType, parts: SchemaParts): GraphQLObjectType {
  const { object } = parts.names.ofComponent(component.uid)
  return parts.once(
    object,
    () =>
      new GraphQLObjectType({
        name: object,
        description: component.description || component.displayName,
        extensions: { uid: component.uid },
        fields: () => componentFields(component, parts),
      }),
  )
}

function componentFields(component: ComponentType, parts: SchemaParts): Fields {
  const attributes = [...component.attributes.values()].filter((attribute) => isReachable(attribute, parts))
  return {
    id: { type: anyJson, ...fieldMeaning({ kind: 'value', name: 'id' }) },
    ...totalFields(attributes, parts),
    ...Object.fromEntries(attributes.map((attribute) => [attribute.name, attributeField(attribute, parts)])),
  }
}

/** A total for each relation to many, unless an attribute has its name. */
function totalFields(attributes: readonly Attribute[], parts: SchemaParts): Fields {
  const fields = attributes.flatMap((attribute): [string, Field][] => {
    const target = targetOf(attribute, parts)
    if (target === undefined || !isToMany(attribute)) return []
    const total: Field = {
      type: intScalar,
      description: `How many ${attribute.name} there are, whatever the page`,
      args: { filters: { type: filtersType(target, parts) } },
      ...fieldMeaning({ kind: 'total', name: attribute.name }),
    }
    return [[`${attribute.name}_total`, total]]
  })
  return Object.fromEntries(fields)
}

function draftField(type: ContentType, { keepsDrafts }: SchemaParts): Fields {
  if (type.system || !keepsDrafts(type.name)) return {}
  const description = 'Whether a draft waits beside the entry; null where drafts are not asked for'
  return {
    has_draft: { type: booleanScalar, description, ...fieldMeaning({ kind: 'value', name: 'has_draft' }) },
  }
}

function fieldOf({ name, attribute, kind }: ShownField, parts: SchemaParts): Field {
  if (attribute !== undefined) return attributeField(attribute, parts)
  if (kind === undefined) return systemField(name, parts)
  // Nullable, since entries older than the plugin may have no value in its column.
  return { type: scalars[scalarOfKind(kind)], ...fieldMeaning({ kind: 'value', name }) }
}

/** `id`, `uuid`, `locale`, and timestamps. */
function systemField(name: string, parts: SchemaParts): Field {
  const value = fieldMeaning({ kind: 'value', name })
  if (name === 'id') return { type: new GraphQLNonNull(intScalar), ...value }
  const type = name.endsWith('_at') ? dateTimeScalar : stringScalar
  return { type: name === 'published_at' ? type : promise(type, parts), ...value }
}

function attributeField(attribute: Attribute, parts: SchemaParts): Field {
  const { description } = attribute
  const field = fieldByType(attribute, parts)
  const isPromised = parts.promised.has(attribute) && !isReference(attribute)
  return {
    ...field,
    type: isPromised ? promise(field.type, parts) : field.type,
    ...(description === undefined ? {} : { description }),
  }
}

function fieldByType(attribute: Attribute, parts: SchemaParts): Field {
  const { name } = attribute
  switch (attribute.type) {
    case 'media':
    case 'relation':
      return referenceField(attribute, parts)
    case 'component': {
      const component = parts.schemas.components.get(attribute.component)
      if (component === undefined) throw new Error(`no component ${attribute.component}`)
      const type = componentType(component, parts)
      return {
        type: attribute.repeatable ? new GraphQLList(new GraphQLNonNull(type)) : type,
        ...fieldMeaning({ kind: 'component', name, uid: attribute.component }),
      }
    }
    case 'dynamicZone':
      return zoneField(attribute, parts)
    default:
      return { type: valueType(attribute, parts), ...fieldMeaning({ kind: 'value', name }) }
  }
}

function referenceField(attribute: Attribute, parts: SchemaParts): Field {
  const target = targetOf(attribute, parts)
  if (target === undefined) throw new Error(`${attribute.name} leads nowhere`)
  const meaning = fieldMeaning({ kind: 'reference', name: attribute.name, isInverse: isInverse(attribute) })
  const type = objectType(target, parts)
  if (!isToMany(attribute)) return { type, ...meaning }
  return {
    type: listOf(type),
    args: {
      filters: { type: filtersType(target, parts) },
      sort: { type: stringScalar, description: '`name`, `created_at:desc`' },
      limit: { type: intScalar },
      offset: { type: intScalar },
    },
    ...meaning,
  }
}

function zoneField(attribute: DynamicZoneAttribute, parts: SchemaParts): Field {
  const { output } = parts.names.ofAttribute(attribute)
  const components = attribute.components.flatMap((uid) => parts.schemas.components.get(uid) ?? [])
  const union = parts.once(
    output,
    () =>
      new GraphQLUnionType({
        name: output,
        types: () => components.map((component) => componentType(component, parts)),
      }),
  )
  const uidOf = new Map(components.map(({ uid }) => [parts.names.ofComponent(uid).object, uid]))
  return {
    type: new GraphQLList(new GraphQLNonNull(union)),
    ...fieldMeaning({ kind: 'zone', name: attribute.name, uidOf }),
  }
}
