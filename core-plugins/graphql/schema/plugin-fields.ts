import {
  assertValidSchema,
  buildSchema,
  defaultFieldResolver,
  type GraphQLFieldConfigMap,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import type { ContentType } from '../../schemas/schemas.ts'
import type { GraphqlExtension, GraphqlField } from '../graphql.ts'
import { fieldMeaning } from './meaning.ts'
import type { GraphqlNames } from './names.ts'
import {
  anyJson,
  bigIntScalar,
  dateScalar,
  dateTimeScalar,
  decimalScalar,
  idScalar,
  intScalar,
} from './scalars.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

export interface PluginFieldsParts {
  readonly types: readonly ContentType[]
  readonly names: GraphqlNames
  /** Without fields of plugins. */
  readonly schema: GraphQLSchema
  /** Is told of an extension that is left out, since what it adds cannot be used. */
  readonly logFault: (plugin: string, error: unknown) => void
}

/** What plugins add to the fields of content types, by the names of these. */
export function pluginFields(
  extensions: readonly { readonly plugin: string; readonly value: GraphqlExtension }[],
  { types, names, schema, logFault }: PluginFieldsParts,
): ReadonlyMap<string, Fields> {
  const added = new Map<string, Fields>()
  const taken = new Set(Object.keys(schema.getTypeMap()))
  for (const { plugin, value } of extensions) {
    try {
      const objects = types.map((type) => ({
        type,
        present: { ...fieldsIn(schema, names.ofType(type).object), ...added.get(type.name) },
      }))
      for (const [name, fields] of readExtension(value, objects, taken)) {
        added.set(name, { ...added.get(name), ...fields })
      }
    } catch (error) {
      logFault(plugin, error)
    }
  }
  return added
}

function fieldsIn(schema: GraphQLSchema, name: string): object {
  const type = schema.getType(name)
  return isObjectType(type) ? type.getFields() : {}
}

interface ExtendedType {
  readonly type: ContentType
  /** By the names of the fields that it has. */
  readonly present: object
}

/** @throws Error that says what is wrong with it */
function readExtension(
  { types = '', fieldsOf }: GraphqlExtension,
  extended: readonly ExtendedType[],
  taken: Set<string>,
): Map<string, Fields> {
  const definitions = extended.map(({ type, present }) => {
    const fields = fieldsOf(type)
    const clash = Object.keys(fields).find((name) => Object.hasOwn(present, name))
    if (clash !== undefined) throw new Error(`${type.name} has a field ${clash} already`)
    return { type, fields }
  })
  const asked = definitions.filter(({ fields }) => Object.keys(fields).length > 0)
  const texts = asked.map(({ fields }, index) => `type Extended${index} { ${fieldsText(fields)} }`)
  const own = buildSchema([ownSchemaStart, types, ...texts].join('\n'))
  assertValidSchema(own)
  const mapped = createTypeMapping(taken)
  return new Map(
    asked.map(({ type, fields }, index) => {
      const { fields: configs } = (own.getType(`Extended${index}`) as GraphQLObjectType).toConfig()
      const made = Object.entries(configs).map(([name, config]) => {
        const definition = fields[name]
        if (definition === undefined || isNonNullType(config.type))
          throw new Error(`${name} must be nullable`)
        return [name, { ...mapped.field(config), ...fieldMeaning({ kind: 'plugin', definition }) }]
      })
      return [type.name, Object.fromEntries(made)]
    }),
  )
}

function fieldsText(fields: Readonly<Record<string, GraphqlField>>): string {
  return Object.entries(fields)
    .map(([name, { type, arguments: args, description }]) => {
      const text = description === undefined ? '' : JSON.stringify(description)
      return `${text} ${name}${args === undefined ? '' : `(${args})`}: ${type}`
    })
    .join('\n')
}

const scalars = new Map<string, GraphQLNamedType>(
  [intScalar, idScalar, bigIntScalar, decimalScalar, dateScalar, dateTimeScalar, anyJson].map((type) => [
    type.name,
    type,
  ]),
)

const ownSchemaStart = `
  scalar BigInt scalar Decimal scalar Date scalar DateTime scalar JSON
  type Query { nothing: Boolean }
`

type FieldConfig = Fields[string]

/** Puts the service's own scalars in place of those that GraphQL made for the names. */
function createTypeMapping(taken: Set<string>) {
  const made = new Map<string, GraphQLNamedType>()

  function field({ args = {}, type, ...config }: FieldConfig): FieldConfig {
    const mappedArgs = Object.entries(args).map(([name, arg]) => [name, { ...arg, type: mapped(arg.type) }])
    return { ...config, type: mapped(type), args: Object.fromEntries(mappedArgs) }
  }

  function mapped<T extends GraphQLType>(type: T): T {
    if (isNonNullType(type)) return new GraphQLNonNull(mapped(type.ofType)) as never
    if (isListType(type)) return new GraphQLList(mapped(type.ofType)) as never
    return named(type as GraphQLNamedType) as never
  }

  function named(type: GraphQLNamedType): GraphQLNamedType {
    const known = scalars.get(type.name) ?? made.get(type.name)
    if (known !== undefined) return known
    if (isSpecifiedScalarType(type)) return type
    if (taken.has(type.name)) throw new Error(`there is a type ${type.name} already`)
    const own = isObjectType(type) ? objectOf(type) : type
    if (own === type && !isEnumType(type)) throw new Error(`${type.name} is no object type or enum`)
    taken.add(type.name)
    made.set(type.name, own)
    return own
  }

  function objectOf(type: GraphQLObjectType): GraphQLObjectType {
    const { fields, ...config } = type.toConfig()
    const own = () =>
      Object.entries(fields).map(([name, each]) => [name, { ...field(each), resolve: defaultFieldResolver }])
    return new GraphQLObjectType({ ...config, fields: () => Object.fromEntries(own()) })
  }

  return { field }
}
