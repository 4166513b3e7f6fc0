import type { Attribute } from '../../schemas/schemas.ts'
import {
  anyJson,
  bigIntScalar,
  booleanScalar,
  dateScalar,
  dateTimeScalar,
  decimalScalar,
  enumType,
  idScalar,
  intScalar,
  stringScalar,
} from './scalars.ts'
import type { SchemaParts } from './schema-parts.ts'

/** What an attribute without an inside is. */
export function valueType(attribute: Attribute, parts: SchemaParts) {
  switch (attribute.type) {
    case 'integer':
      return intScalar
    case 'bigint':
      return bigIntScalar
    case 'decimal':
      return decimalScalar
    case 'boolean':
      return booleanScalar
    case 'date':
      return dateScalar
    case 'datetime':
      return dateTimeScalar
    case 'json':
      return anyJson
    case 'media':
    case 'relation':
      return idScalar
    case 'enum': {
      const { output } = parts.names.ofAttribute(attribute)
      const { values } = attribute
      return enumType(output, values) === undefined
        ? stringScalar
        : parts.once(output, () => enumType(output, values) ?? neverEnum(output))
    }
    default:
      return stringScalar
  }
}

function neverEnum(name: string): never {
  throw new Error(`${name} has values that GraphQL cannot name`)
}
