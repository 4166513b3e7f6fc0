import { type TSchema, Type } from 'typebox'
import type { Attribute, ContentType } from '../schemas/schemas.ts'
import { momentSchema, valueSchema } from './value-schema.ts'

/*
 * What `filters` of a list can hold. As with the schemas of entries, each schema holds all that it refers to, but for the
 * filters of other types: who may not use those is not told what they have, so a document has to find them by itself.
 */

/** The filters of a type: groups, and conditions by field. */
export function filterSchema(type: ContentType): TSchema {
  const $id = `${type.name}.filters`
  const self = Type.Ref($id)
  const own = ownColumns(type).map(([name, schema]) => [name, conditionSchema(schema)] as const)
  const attributes = [...type.attributes.values()]
    .filter((attribute) => !attribute.private)
    .map((attribute) => [attribute.name, attributeFilter(attribute)] as const)
  return Type.Object(
    {
      ...{ $and: Type.Optional(Type.Array(self)), $or: Type.Optional(Type.Array(self)) },
      $not: Type.Optional(self),
      ...Object.fromEntries([...own, ...attributes].map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    {
      $id,
      title: `Filters of ${type.pluralName}`,
      description: 'For example `filters[title][$contains]=x`, `filters[author][name][$eq]=y`',
    },
  )
}

function ownColumns({ options }: ContentType): [string, TSchema][] {
  return [
    ['id', Type.Integer()],
    ...(options.i18n.enabled ? [['locale', Type.String()] satisfies [string, TSchema]] : []),
    ...(options.draftAndPublish ? [['published_at', momentSchema] satisfies [string, TSchema]] : []),
    ...(options.timestamps
      ? ['created_at', 'updated_at'].map((name): [string, TSchema] => [name, momentSchema])
      : []),
  ]
}

function attributeFilter(attribute: Attribute): TSchema {
  switch (attribute.type) {
    case 'component':
    case 'dynamicZone':
    case 'json':
      return Type.Object(presenceOperators)
    case 'media':
      return referenceFilter('media')
    case 'relation':
      return referenceFilter(attribute.target)
    case 'string':
    case 'text':
    case 'richtext':
    case 'email':
      return conditionSchema(Type.String(), textOperators)
    case 'enum':
      return conditionSchema(Type.Unsafe({ type: 'string', enum: attribute.values }))
    default:
      return conditionSchema(plain(valueSchema(attribute)))
  }
}

/** By id, or by the fields of what it leads to. */
function referenceFilter(target: string): TSchema {
  const fields = Type.Object({}, { description: `fields of the ${target}`, 'x-schema': `${target}.filters` })
  return Type.Union([conditionSchema(Type.Integer()), fields])
}

/** A value may be compared with one that no entry could have, and needs no default. */
function plain(schema: TSchema): TSchema {
  const { minimum: _, maximum: __, default: ___, ...rest } = schema as Record<string, unknown>
  return rest as unknown as TSchema
}

const presenceOperators = { $null: Type.Optional(Type.Boolean()), $notNull: Type.Optional(Type.Boolean()) }

const textOperators = Object.fromEntries(
  [
    ...['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$notContainsi'],
    ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
  ].map((name) => [name, Type.Optional(Type.String())]),
)

/** A value, any of several, or operators. */
function conditionSchema(value: TSchema, more: Readonly<Record<string, TSchema>> = {}): TSchema {
  const one = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte'].map((name) => [name, Type.Optional(value)])
  const many = ['$in', '$notIn', '$between'].map((name) => [name, Type.Optional(Type.Array(value))])
  const operators = { ...Object.fromEntries([...one, ...many]), ...presenceOperators, ...more }
  const negated = Type.Optional(Type.Object(operators))
  return Type.Union([value, Type.Array(value), Type.Object({ ...operators, $not: negated })])
}
