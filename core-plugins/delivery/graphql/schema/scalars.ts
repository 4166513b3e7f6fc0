import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import type { GraphqlScalar } from '../../../foundation/schemas/schemas.ts'
import { isEnumValue } from './enum-value.ts'

/*
 * Values are serialised as in REST: integers up to 53 bits, bigint and decimal as numbers if a double can represent them,
 * otherwise as strings. Only the kind of input values is checked here; the content service checks the rest.
 */

type Variables = Parameters<typeof valueFromASTUntyped>[1]

type Parse = (value: unknown) => unknown

function scalar(name: string, description: string, parse: Parse): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node, variables) => parse(literalOf(node, variables)),
  })
}

/** Numbers stay text if a double would lose digits. */
function literalOf(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.STRING) return node.value
  if (node.kind === Kind.INT)
    return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : node.value
  if (node.kind === Kind.FLOAT) return node.value
  if (node.kind === Kind.OBJECT) return valueFromASTUntyped(node, variables)
  throw new GraphQLError('must be text or a number')
}

function expecting(rule: string, holds: (value: unknown) => boolean): Parse {
  return (value) => {
    if (holds(value)) return value
    throw new GraphQLError(rule)
  }
}

const isNumberOrText = (value: unknown) => typeof value === 'number' || typeof value === 'string'
const isText = (value: unknown) => typeof value === 'string'

export const intScalar = scalar(
  'Int',
  'A whole number of at most 53 bits.',
  expecting('must be a whole number of at most 53 bits', Number.isSafeInteger),
)

export const idScalar = scalar('ID', 'The id of an entry, a positive whole number.', (value) => {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(id) && (id as number) > 0) return id
  throw new GraphQLError('must be an id, a positive whole number')
})

export const bigIntScalar = scalar(
  'BigInt',
  'A whole number of up to 64 bits; a string where a double does not hold it exactly.',
  expecting('must be a whole number, or a string of its digits', isNumberOrText),
)

export const decimalScalar = scalar(
  'Decimal',
  'A decimal number; a string where a double does not hold it exactly.',
  expecting('must be a number, or a string of its digits', isNumberOrText),
)

export const dateScalar = scalar(
  'Date',
  'A day such as 2026-01-31.',
  expecting('must be a day such as "2026-01-31"', isText),
)

export const dateTimeScalar = scalar(
  'DateTime',
  'A moment in ISO 8601, such as 2026-01-31T08:00:00.000Z.',
  expecting('must be an ISO 8601 time such as "2026-01-31T08:00:00Z"', isText),
)

/** A scalar that a field type defines. */
export function ownScalar({ name, description, rule, takes }: GraphqlScalar): GraphQLScalarType {
  return scalar(name, description, expecting(rule, takes))
}

/** Any JSON value; literals in a document may contain variables. */
export function jsonScalar(name: string, description: string): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: (value) => value,
    parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
  })
}

export const anyJson = jsonScalar('JSON', 'Anything that JSON can say.')

/** The service's scalars, which replace those that GraphQL makes for the names. */
export const ownScalars: ReadonlyMap<string, GraphQLScalarType> = new Map(
  [intScalar, idScalar, bigIntScalar, decimalScalar, dateScalar, dateTimeScalar, anyJson].map((type) => [
    type.name,
    type,
  ]),
)

/** Declares the scalars that are not built into GraphQL, for schema texts of plugins. */
export const ownScalarsText = 'scalar BigInt scalar Decimal scalar Date scalar DateTime scalar JSON'

export { GraphQLBoolean as booleanScalar, GraphQLString as stringScalar }

/** Accepts `"red"` in a document as well as `red`, since REST and variables use strings. */
class EnumOfTexts extends GraphQLEnumType {
  override parseLiteral(node: ValueNode, variables: Parameters<GraphQLEnumType['parseLiteral']>[1]) {
    if (node.kind === Kind.STRING) return this.parseValue(node.value)
    return super.parseLiteral(node, variables)
  }
}

/** Undefined if any value is not a valid GraphQL name; then the attribute is a text. */
export function enumType(name: string, values: readonly string[]): GraphQLEnumType | undefined {
  if (!values.every(isEnumValue)) return undefined
  return new EnumOfTexts({ name, values: Object.fromEntries(values.map((value) => [value, { value }])) })
}
