import {
  type Attribute,
  type GraphqlScalarName,
  type GraphqlValue,
  holdsComponents,
  isReference,
} from '../../../foundation/schemas/schemas.ts'
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
  ownScalar,
  stringScalar,
} from './scalars.ts'
import type { SchemaParts } from './schema-parts.ts'

/** By the scalar names that field types use. */
export const scalars = {
  String: stringScalar,
  Int: intScalar,
  BigInt: bigIntScalar,
  Decimal: decimalScalar,
  Boolean: booleanScalar,
  Date: dateScalar,
  DateTime: dateTimeScalar,
  JSON: anyJson,
} satisfies Readonly<Record<GraphqlScalarName, unknown>>

/** The type of an attribute without nested fields. */
export function valueType(attribute: Attribute, parts: SchemaParts) {
  if (isReference(attribute)) return idScalar
  if (holdsComponents(attribute)) throw new Error(`${attribute.name} has no single value`)
  const value: GraphqlValue = attribute.definition.graphql(attribute)
  if ('scalar' in value) return scalars[value.scalar]
  if ('ownScalar' in value) {
    const name = parts.names.ofOwnScalar(attribute, value.ownScalar)
    return parts.once(name, () => ownScalar({ ...value.ownScalar, name }))
  }
  const { output } = parts.names.ofAttribute(attribute)
  return enumType(output, value.values) === undefined
    ? stringScalar
    : parts.once(output, () => enumType(output, value.values) ?? neverEnum(output))
}

function neverEnum(name: string): never {
  throw new Error(`${name} has values that GraphQL cannot name`)
}
