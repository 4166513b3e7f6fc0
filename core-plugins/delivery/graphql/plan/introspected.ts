import {
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isLeafType,
} from 'graphql'
import { type FieldNodes, type SelectionDeps, subfields } from './selected-fields.ts'
import { objectIn } from './selection.ts'

/** An introspection field and its selection. */
export interface IntrospectedField {
  readonly key: string
  readonly read: (source: unknown, schema: GraphQLSchema) => unknown
  /** Serialises a scalar value, for fields without a selection. */
  readonly serialize: ((value: unknown) => unknown) | undefined
  readonly inside: readonly IntrospectedField[]
}

/** Compiles `__schema`, `__type`, `_service`, or a field inside them. */
export function compileIntrospected(
  key: string,
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
  deps: SelectionDeps,
): IntrospectedField {
  const { name, resolve } = field
  const args = getArgumentValues(field, nodes[0], { ...deps.variables })
  // These resolvers use nothing else of the info.
  const info = (schema: GraphQLSchema) => ({ schema }) as GraphQLResolveInfo
  const read: IntrospectedField['read'] = (source, schema) =>
    resolve === undefined
      ? (source as Readonly<Record<string, unknown>>)[name]
      : resolve(source, args, undefined, info(schema))
  const type = getNamedType(field.type)
  if (isLeafType(type)) return { key, read, serialize: (value) => type.serialize(value), inside: [] }
  const of = objectIn(field.type)
  const fields = of.getFields()
  const inside = [...subfields(of, nodes, deps)].map(([innerKey, same]): IntrospectedField => {
    const inner = fields[same[0].name.value]
    if (inner !== undefined) return compileIntrospected(innerKey, inner, same, deps)
    return { key: innerKey, read: () => of.name, serialize: String, inside: [] }
  })
  return { key, read, serialize: undefined, inside }
}

/** Resolves an introspection field. `count` is called for each value, and throws once there are too many. */
export function introspect(
  { read, serialize, inside }: IntrospectedField,
  source: unknown,
  schema: GraphQLSchema,
  count: () => void,
): unknown {
  const put = (value: unknown): unknown => {
    if (value === undefined || value === null) return null
    if (Array.isArray(value)) return value.map(put)
    count()
    if (serialize !== undefined) return serialize(value)
    const answer: Record<string, unknown> = {}
    for (const field of inside) answer[field.key] = introspect(field, value, schema, count)
    return answer
  }
  return put(read(source, schema))
}

/**
 * The maximum number of values in an introspection result: more than twice what the standard introspection query returns.
 * Nested fields multiply, so a short document could keep a process busy for long.
 */
export function maxIntrospectedValues(schema: GraphQLSchema): number {
  const known = mostOf.get(schema)
  if (known !== undefined) return known
  const most = 1_000 + 15 * membersOf(schema)
  mostOf.set(schema, most)
  return most
}

const mostOf = new WeakMap<GraphQLSchema, number>()

function membersOf(schema: GraphQLSchema): number {
  let count = 0
  for (const type of Object.values(schema.getTypeMap())) {
    count += 1
    if ('getValues' in type) count += type.getValues().length
    if (!('getFields' in type)) continue
    for (const field of Object.values(type.getFields()))
      count += 1 + ('args' in field ? field.args.length : 0)
  }
  return count
}
