import { type TSchema, Type } from 'typebox'
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  NumberAttribute,
  RelationAttribute,
  TextAttribute,
} from '../schemas/schemas.ts'

/** Whether a schema describes an entry that is answered, the payload of a new one, or that of a change. */
export type Purpose = 'entry' | 'input' | 'update'

/** Attributes with a value of their own: no reference, and nothing that consists of attributes of a component. */
export type PlainAttribute = Exclude<
  Attribute,
  ComponentAttribute | DynamicZoneAttribute | MediaAttribute | RelationAttribute
>

export const momentSchema = Type.String({ format: 'date-time' })

/** `schema`, or null. */
export function nullable(schema: TSchema): TSchema {
  return Type.Union([schema, Type.Null()])
}

/** The JSON Schema of an attribute's value, null aside. */
export function valueSchema(attribute: PlainAttribute): TSchema {
  switch (attribute.type) {
    case 'integer':
      return Type.Integer(numericBounds(attribute))
    case 'bigint':
      return exactNumber(Type.Integer(numericBounds(attribute)), '^-?[0-9]+$')
    case 'decimal':
      return exactNumber(Type.Number(numericBounds(attribute)), '^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$')
    case 'boolean':
      return Type.Boolean(defaultOf(attribute))
    case 'date':
      return Type.String({ format: 'date', ...defaultOf(attribute) })
    case 'datetime':
      return momentSchema
    case 'json':
      return Type.Unknown(defaultOf(attribute))
    case 'enum':
      return Type.Unsafe({ type: 'string', enum: attribute.values, ...defaultOf(attribute) })
    default:
      return textSchema(attribute)
  }
}

function textSchema(attribute: TextAttribute): TSchema {
  const { minLength, maxLength } = attribute
  return Type.String({
    ...(attribute.type === 'email' ? { format: 'email' } : {}),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...defaultOf(attribute),
  })
}

/** Bounds and defaults that a double cannot hold are left out: JSON Schema has numbers only. */
function numericBounds({ min, max, ...attribute }: NumberAttribute) {
  return {
    ...(typeof min === 'number' ? { minimum: min } : {}),
    ...(typeof max === 'number' ? { maximum: max } : {}),
    ...(typeof attribute.default === 'number' ? { default: attribute.default } : {}),
  }
}

/** decisions.md, 3: a string where a JSON number would lose digits; both are accepted. */
function exactNumber(number: TSchema, pattern: string): TSchema {
  return Type.Union([number, Type.String({ pattern })])
}

function defaultOf(attribute: PlainAttribute): { default?: unknown } {
  const value = 'default' in attribute ? attribute.default : undefined
  return value === undefined ? {} : { default: value }
}
