import {
  coerceInputValue,
  GraphQLError,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLScalarType,
  getNamedType,
  isInputObjectType,
  Kind,
  type ObjectFieldNode,
  type ValueNode,
  valueFromAST,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { componentFieldName } from './component-field.ts'
import type { SchemaParts } from './schema-parts.ts'

/** A component that is allowed in a zone. */
export interface BlockOption {
  readonly uid: string
  /** The key in the input: the name of its type. */
  readonly name: string
  readonly input: () => GraphQLInputObjectType
}

type Variables = Parameters<typeof valueFromAST>[2]

/**
 * The input of a block of a zone: `{ ComponentSharedQuote: { … } }`. Callers see an object with exactly one key. The served
 * schema also accepts blocks as in REST, with `__component`, which GraphQL does not allow input types to declare.
 */
export function blockType(name: string, options: readonly BlockOption[], parts: SchemaParts) {
  return parts.purpose === 'told'
    ? parts.once(name, () => toldBlock(name, options))
    : parts.once(name, () => servedBlock(name, options))
}

function toldBlock(name: string, options: readonly BlockOption[]): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    description: 'A block: exactly one of these.',
    isOneOf: true,
    fields: () => Object.fromEntries(options.map((option) => [option.name, { type: option.input() }])),
  })
}

function servedBlock(name: string, options: readonly BlockOption[]): GraphQLScalarType {
  const byName = new Map(options.map((option) => [option.name, option]))
  const rule = `must be a block: an object with one key out of ${[...byName.keys()].join(', ')}`
  const optionIn = (keys: readonly string[]): BlockOption => {
    const option = keys.length === 1 ? byName.get(keys[0] ?? '') : undefined
    if (option === undefined) throw new GraphQLError(rule)
    return option
  }
  return new GraphQLScalarType({
    name,
    parseValue(value) {
      if (typeof value !== 'object' || value === null) throw new GraphQLError(rule)
      if (Object.hasOwn(value, componentFieldName)) return value
      const option = optionIn(Object.keys(value))
      return blockOf(option, coerced(option, (value as Record<string, unknown>)[option.name]))
    },
    parseLiteral(node, variables) {
      if (node.kind !== Kind.OBJECT) throw new GraphQLError(rule)
      const names = node.fields.map((field) => field.name.value)
      if (names.includes(componentFieldName)) return valueFromASTUntyped(node, variables)
      const option = optionIn(names)
      const [member] = node.fields as [ObjectFieldNode]
      return blockOf(option, literalOf(option, member.value, variables))
    },
  })
}

function blockOf({ uid, name }: BlockOption, value: unknown): object {
  if (typeof value === 'object' && value !== null) return { ...value, [componentFieldName]: uid }
  throw new GraphQLError(`${name} must not be null`)
}

function coerced({ name, input }: BlockOption, value: unknown): unknown {
  return coerceInputValue(value, input(), (path, _value, { message }) => {
    throw new GraphQLError(`${[name, ...path].join('.')}: ${message}`)
  })
}

/** During validation there are no variables yet, so their values are unknown. */
function literalOf({ name, input }: BlockOption, node: ValueNode, variables: Variables): unknown {
  const type = input()
  assertKnown(node, type, name)
  const value = valueFromAST(node, type, variables)
  if (value !== undefined) return value
  if (variables == null && hasVariables(node)) return {}
  throw new GraphQLError(`${name} is not a valid ${type.name}`)
}

/** Checks field names inside a scalar, since GraphQL does not. */
function assertKnown(node: ValueNode, type: GraphQLInputType, path: string): void {
  if (node.kind === Kind.LIST) for (const each of node.values) assertKnown(each, type, path)
  const named = getNamedType(type)
  if (node.kind !== Kind.OBJECT || !isInputObjectType(named)) return
  const fields = named.getFields()
  for (const { name, value } of node.fields) {
    const field = Object.hasOwn(fields, name.value) ? fields[name.value] : undefined
    if (field === undefined) throw new GraphQLError(`${path} has no field ${name.value}`)
    assertKnown(value, field.type, `${path}.${name.value}`)
  }
}

function hasVariables(node: ValueNode): boolean {
  let found = false
  visit(node, {
    Variable() {
      found = true
    },
  })
  return found
}
