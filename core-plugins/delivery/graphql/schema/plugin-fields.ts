import {
  assertValidSchema,
  buildSchema,
  defaultFieldResolver,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import type { AccessRule, GuardCheck } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { GraphqlExtension, GraphqlField, GraphqlRootField } from '../graphql.ts'
import { fieldMeaning, rootMeaning } from './meaning.ts'
import type { GraphqlNames } from './names.ts'
import { ownScalars, ownScalarsText } from './scalars.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** The additions of plugins to the schema. */
export interface PluginFields {
  /** Fields of content types, by type name. */
  readonly ofTypes: ReadonlyMap<string, Fields>
  readonly query: Fields
  readonly mutation: Fields
}

export const noPluginFields: PluginFields = { ofTypes: new Map(), query: {}, mutation: {} }

export interface PluginFieldsParts {
  readonly types: readonly ContentType[]
  readonly names: GraphqlNames
  /** The schema without fields of plugins. */
  readonly schema: GraphQLSchema
  /** Compiles an access rule. @throws Error for rules that cannot be checked */
  readonly checkOf: (rule: AccessRule) => GuardCheck
  /** Logs an extension that is left out because it is invalid. */
  readonly logFault: (plugin: string, error: unknown) => void
}

/** Reads the additions of plugins. */
export function pluginFields(
  extensions: readonly { readonly plugin: string; readonly value: GraphqlExtension }[],
  { types, names, schema, checkOf, logFault }: PluginFieldsParts,
): PluginFields {
  const objects = types.map((type) => ({ key: type.name, type, object: names.ofType(type).object }))
  const present = new Map<string, Fields>([
    ...objects.map(({ key, object }) => [key, fieldsIn(schema, object)] as const),
    [queryKey, fieldsIn(schema, 'Query')],
    [mutationKey, fieldsIn(schema, 'Mutation')],
  ])
  const added = new Map<string, Fields>()
  const taken = new Set(Object.keys(schema.getTypeMap()))
  for (const { plugin, value } of extensions) {
    try {
      const asked = askedFields(value, objects, checkOf)
      for (const { key, fields } of asked) assertFree(key, fields, { ...present.get(key), ...added.get(key) })
      for (const [key, fields] of makeFields(value, asked, taken)) {
        added.set(key, { ...added.get(key), ...fields })
      }
    } catch (error) {
      logFault(plugin, error)
    }
  }
  return {
    ofTypes: added,
    query: added.get(queryKey) ?? {},
    mutation: added.get(mutationKey) ?? {},
  }
}

/** The key of root fields; not a possible name of a content type. */
const queryKey = 'Query'
const mutationKey = 'Mutation'

function fieldsIn(schema: GraphQLSchema, name: string): Fields {
  const type = schema.getType(name)
  return isObjectType(type) ? type.toConfig().fields : {}
}

/** The fields that a plugin adds to one type. */
interface AskedFields {
  /** The name of the content type or root type. */
  readonly key: string
  readonly fields: Readonly<Record<string, FieldDefinition>>
  readonly extensionsOf: (name: string) => FieldConfig['extensions']
}

type FieldDefinition = Pick<GraphqlField, 'type' | 'arguments' | 'description'>

function askedFields(
  { fieldsOf, queries = {}, mutations = {} }: GraphqlExtension,
  objects: readonly { readonly key: string; readonly type: ContentType }[],
  checkOf: PluginFieldsParts['checkOf'],
): AskedFields[] {
  const ofEntries = objects.map(({ key, type }): AskedFields => {
    const fields = fieldsOf?.(type) ?? {}
    const extensionsOf = (name: string) =>
      fieldMeaning({ kind: 'plugin', definition: definitionIn(fields, name) }).extensions
    return { key, fields, extensionsOf }
  })
  const ofRoot = (key: string, fields: Readonly<Record<string, GraphqlRootField>>): AskedFields => ({
    key,
    fields,
    extensionsOf(name) {
      const definition = definitionIn(fields, name)
      if (typeof definition.resolve !== 'function') throw new Error(`${name} must have a resolve function`)
      const { access, scope, policies } = definition
      const rule: AccessRule = {
        ...{ name, method: key === mutationKey ? 'POST' : 'GET', access },
        ...(scope && { scope }),
        ...(policies && { policies }),
      }
      return rootMeaning({ kind: 'plugin', definition, check: checkOf(rule) }).extensions
    },
  })
  return [...ofEntries, ofRoot(queryKey, queries), ofRoot(mutationKey, mutations)].filter(
    ({ fields }) => Object.keys(fields).length > 0,
  )
}

function definitionIn<T>(fields: Readonly<Record<string, T>>, name: string): T {
  const definition = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (definition === undefined) throw new Error(`${name} is not defined`)
  return definition
}

function assertFree(key: string, fields: object, present: object): void {
  const clash = Object.keys(fields).find((name) => Object.hasOwn(present, name))
  if (clash !== undefined) throw new Error(`${key} has a field ${clash} already`)
}

/** @throws Error that describes the problem */
function makeFields(
  { types = '' }: GraphqlExtension,
  asked: readonly AskedFields[],
  taken: Set<string>,
): Map<string, Fields> {
  const texts = asked.map(({ fields }, index) => `type Extended${index} { ${fieldsText(fields)} }`)
  const own = buildSchema([ownSchemaStart, types, ...texts].join('\n'))
  assertValidSchema(own)
  const mapped = createTypeMapping(taken)
  return new Map(
    asked.map(({ key, extensionsOf }, index) => {
      const { fields } = (own.getType(`Extended${index}`) as GraphQLObjectType).toConfig()
      const made = Object.entries(fields).map(([name, config]) => {
        if (isNonNullType(config.type)) throw new Error(`${name} must be nullable`)
        return [name, { ...mapped.field(config), extensions: extensionsOf(name) }]
      })
      return [key, Object.fromEntries(made)]
    }),
  )
}

function fieldsText(fields: Readonly<Record<string, FieldDefinition>>): string {
  return Object.entries(fields)
    .map(([name, { type, arguments: args, description }]) => {
      const text = description === undefined ? '' : JSON.stringify(description)
      return `${text} ${name}${args === undefined ? '' : `(${args})`}: ${type}`
    })
    .join('\n')
}

const ownSchemaStart = `${ownScalarsText}
  type Query { nothing: Boolean }
`

type FieldConfig = Fields[string]

/** Replaces the scalars that GraphQL made for the names by the service's own. */
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
    const known = ownScalars.get(type.name) ?? made.get(type.name)
    if (known !== undefined) return known
    if (isSpecifiedScalarType(type)) return type
    if (taken.has(type.name)) throw new Error(`there is a type ${type.name} already`)
    const own = isObjectType(type) ? objectOf(type) : isInputObjectType(type) ? inputOf(type) : type
    if (own === type && !isEnumType(type))
      throw new Error(`${type.name} is no object type, enum or input type`)
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

  function inputOf(type: GraphQLInputObjectType): GraphQLInputObjectType {
    const { fields, ...config } = type.toConfig()
    const own = () =>
      Object.entries(fields).map(([name, each]) => [name, { ...each, type: mapped(each.type) }])
    return new GraphQLInputObjectType({ ...config, fields: () => Object.fromEntries(own()) })
  }

  return { field }
}
