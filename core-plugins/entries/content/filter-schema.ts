import { type TSchema, type TSchemaOptions, Type } from 'typebox'
import type { ColumnKind } from '../../foundation/database/database.ts'
import {
  type Attribute,
  type ComponentsAttribute,
  type ComponentType,
  type ContentType,
  type FilterOperator,
  filterOperators,
  hasUuid,
  holdsComponents,
  isReference,
  type OperatorName,
  operatorsAsking,
  type Schemas,
  targetNameOf,
  textOperators,
  valueOperators,
} from '../../foundation/schemas/schemas.ts'
import { type AddedField, addedFieldSchema } from './entry/added-fields.ts'
import { momentSchema } from './entry/value-schema.ts'
import { maxCorners } from './query/place-filters.ts'

/*
 * What `filters` of a list may contain. Like entry schemas, each schema is self-contained, except for the
 * filters of other types: callers without access to those may not see their fields, so a document resolves
 * them itself.
 */

/** The filters of a type: groups, and conditions by field. */
export function filterSchema(
  type: ContentType,
  schemas: Schemas,
  addedFields: readonly AddedField[] = [],
): TSchema {
  const writer: FilterWriter = { components: schemas.components, written: new Set() }
  const own = ownColumns(type).map(([name, schema]) => [name, conditionSchema(schema)] as const)
  const added = addedFields.map((field): NamedSchema => [field.name, addedFilter(field)])
  const $id = `${type.name}.filters`
  return groupSchema([...own, ...attributeFilters(type, { ...writer, $id }), ...added], {
    $id,
    title: `Filters of ${type.pluralName}`,
    description: 'For example `filters[title][$contains]=x`, `filters[author][name][$eq]=y`',
  })
}

/** Like the filter of an attribute with such a column. */
function addedFilter(field: AddedField): TSchema {
  if (field.kind === 'json') return jsonFilter
  return conditionSchema(addedFieldSchema(field), operatorsOfKind[field.kind] ?? valueOperators)
}

const operatorsOfKind: Partial<Readonly<Record<ColumnKind, readonly OperatorName[]>>> = {
  string: textOperators,
  text: textOperators,
  point: operatorsAsking('place'),
}

/** Keeps track of the components whose filters a schema already contains; the others refer to them. */
interface FilterWriter {
  readonly components: Schemas['components']
  readonly written: Set<string>
}

type NamedSchema = readonly [name: string, schema: TSchema]

function groupSchema(members: readonly NamedSchema[], options: TSchemaOptions & { $id: string }): TSchema {
  const self = Type.Ref(options.$id)
  return Type.Object(
    {
      ...{ $and: Type.Optional(Type.Array(self)), $or: Type.Optional(Type.Array(self)) },
      $not: Type.Optional(self),
      ...Object.fromEntries(members.map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    options,
  )
}

/** The name of the filter schema that the attributes belong to. */
interface FilterGroup extends FilterWriter {
  readonly $id: string
}

function attributeFilters({ attributes }: ContentType | ComponentType, group: FilterGroup): NamedSchema[] {
  return [...attributes.values()]
    .filter((attribute) => !attribute.private)
    .map((attribute) => [attribute.name, attributeFilter(attribute, group)])
}

function ownColumns(type: ContentType): [string, TSchema][] {
  const { options } = type
  return [
    ['id', Type.Integer()],
    ...(hasUuid(type) ? [['uuid', Type.String()] satisfies [string, TSchema]] : []),
    ...(options.i18n.enabled ? [['locale', Type.String()] satisfies [string, TSchema]] : []),
    ...(options.draftAndPublish ? [['published_at', momentSchema] satisfies [string, TSchema]] : []),
    ...(options.timestamps
      ? ['created_at', 'updated_at'].map((name): [string, TSchema] => [name, momentSchema])
      : []),
  ]
}

function attributeFilter(attribute: Attribute, group: FilterGroup): TSchema {
  if (isReference(attribute)) return referenceFilter(targetNameOf(attribute))
  if (holdsComponents(attribute)) return componentsFilter(attribute, group)
  if (attribute.type === 'json') return jsonFilter
  const { definition } = attribute
  const { operators, operand } = definition.filter
  if (operators.length === 0) return Type.Object(presence)
  const value = operand ?? plain(definition.jsonSchema(attribute))
  return conditionSchema(named(value, `${group.$id}.${attribute.name}`), operators)
}

/**
 * Names values that client generators turn into a type. Otherwise they invent names, and orval invents the same one for the items
 * of `$notIn` and of `$not` with `$in`.
 */
function named(value: TSchema, $id: string): TSchema {
  return 'enum' in value || 'anyOf' in value ? { ...value, $id } : value
}

/** Conditions on the content of at least one item; for zones, by component. */
function componentsFilter(attribute: ComponentsAttribute, writer: FilterWriter): TSchema {
  if (attribute.type === 'component') {
    return Type.Intersect([Type.Object(presence), itemFilter(attribute.component, writer)])
  }
  const blocks = attribute.components.map((uid) => [uid, Type.Optional(itemFilter(uid, writer))])
  return Type.Object({ ...presence, ...Object.fromEntries(blocks) })
}

function itemFilter(uid: string, writer: FilterWriter): TSchema {
  const $id = `component.${uid}.filters`
  const component = writer.components.get(uid)
  if (component === undefined) throw new Error(`the component ${uid} is not declared`)
  if (writer.written.has(uid)) return Type.Ref($id)
  writer.written.add(uid)
  return groupSchema(attributeFilters(component, { ...writer, $id }), {
    $id,
    title: `Filters of ${component.displayName}`,
  })
}

/** Conditions on the id, or on fields of the referenced entry. */
function referenceFilter(target: string): TSchema {
  const fields = Type.Object(
    {},
    {
      description: `fields of the ${target}`,
      additionalProperties: true,
      'x-schema': `${target}.filters`,
    },
  )
  return Type.Union([conditionSchema(Type.Integer()), fields])
}

/** Filter values need no default, and may be values that no entry can have. */
function plain(schema: TSchema): TSchema {
  const { minimum: _, maximum: __, default: ___, ...rest } = schema as Record<string, unknown>
  return rest as unknown as TSchema
}

const circleRule = 'Latitude, longitude, metres.'
const areaRule =
  'The south-western and the north-eastern corner of a box, or the corners of a polygon: latitude and longitude of each.'

const argumentSchemas: Readonly<Record<FilterOperator['argument'], (value: TSchema) => TSchema>> = {
  value: (value) => value,
  values: (value) => Type.Array(value),
  pair: (value) => Type.Array(value),
  text: () => Type.String(),
  flag: () => Type.Boolean(),
  circle: () => Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: circleRule }),
  area: () => Type.Array(Type.Number(), { minItems: 4, maxItems: 2 * maxCorners, description: areaRule }),
}

function operatorSchemas(names: readonly OperatorName[], value: TSchema): Record<string, TSchema> {
  return Object.fromEntries(
    names.map((name) => [name, Type.Optional(argumentSchemas[filterOperators[name].argument](value))]),
  )
}

const presence = operatorSchemas(operatorsAsking('presence'), Type.Boolean())

const jsonFilter = Type.Object(
  { ...presence, ...operatorSchemas(textOperators, Type.Unknown()) },
  { description: 'Operators, or keys that lead to a value: `filters[facts][height][$gt]=3`' },
)

/** A value, a list of values, or operators. */
function conditionSchema(value: TSchema, names: readonly OperatorName[] = valueOperators): TSchema {
  const isAboutText = (name: OperatorName) => filterOperators[name].question === 'text'
  const operators = {
    ...operatorSchemas(
      names.filter((name) => !isAboutText(name)),
      value,
    ),
    ...presence,
    ...operatorSchemas(names.filter(isAboutText), value),
  }
  return Type.Union([
    ...(names.includes('$eq') ? [value] : []),
    ...(names.includes('$in') ? [Type.Array(value)] : []),
    Type.Object({ ...operators, $not: Type.Optional(Type.Object(operators)) }),
  ])
}
