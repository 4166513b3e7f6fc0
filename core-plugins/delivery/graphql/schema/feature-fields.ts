import {
  buildSchema,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  GraphQLUnionType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import type { AccessRule, GuardCheck } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { GraphqlFeature, GraphqlFeatureField, GraphqlFeatureFields } from '../features.ts'
import { answerType } from './answer-type.ts'
import { filtersType } from './filter-types.ts'
import { inputType, updateInputType } from './input-types.ts'
import { type FeatureRootMeaning, rootMeaning } from './meaning.ts'
import type { GraphqlNames } from './names.ts'
import { objectType } from './object-types.ts'
import { paginationType } from './pagination-type.ts'
import { ownScalars, ownScalarsText } from './scalars.ts'
import { type FeatureFields, isReachable, type SchemaParts } from './schema-parts.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

export const noFeatureFields: FeatureFields = { roots: [], query: () => ({}), mutation: () => ({}) }

export interface FeatureFieldsParts {
  readonly schemas: Schemas
  readonly names: GraphqlNames
  /** The schema without features. */
  readonly schema: GraphQLSchema
  /** Compiles an access rule. @throws Error for rules that cannot be checked */
  readonly checkOf: (rule: AccessRule) => GuardCheck
  /** Logs additions that are left out because they are invalid. */
  readonly logFault: (plugin: string, error: unknown) => void
}

/** The fields of one feature for one type, or those without a type. */
interface Group {
  readonly schema: GraphQLSchema
  readonly type: ContentType | undefined
  readonly attributeTypes: ReadonlySet<string>
  readonly meanings: ReadonlyMap<string, FeatureRootMeaning>
}

/** Reads the additions of features. If a name is taken, all fields of the feature for that type are left out. */
export function featureFields(
  features: readonly { readonly plugin: string; readonly value: GraphqlFeature }[],
  parts: FeatureFieldsParts,
): FeatureFields {
  const { schemas, names, logFault } = parts
  const groups: Group[] = []
  const taken = new Set(Object.keys(parts.schema.getTypeMap()))
  const fields = new Set(
    [parts.schema.getQueryType(), parts.schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    ),
  )
  for (const { plugin, value } of features) {
    const shared = value.types ?? ''
    const ownTypes = new Set<string>()
    const add = (added: GraphqlFeatureFields, type: ContentType | undefined) => {
      try {
        const group = groupOf(added, shared, type, parts)
        if (group === undefined) return
        assertFree(group, { taken, fields, ownTypes, names })
        groups.push(group)
      } catch (error) {
        logFault(plugin, error)
      }
    }
    add(value, undefined)
    for (const type of schemas.allTypes.values()) {
      if (value.ofType !== undefined) add(value.ofType(type, names.ofType(type)), type)
    }
    for (const name of ownTypes) taken.add(name)
  }
  const made = (root: 'Query' | 'Mutation') => (of: SchemaParts) =>
    Object.assign({}, ...groups.map((group) => fieldsOf(group, root, of))) as Fields
  return {
    roots: groups.flatMap(({ meanings }) => [...meanings.values()]),
    query: made('Query'),
    mutation: made('Mutation'),
  }
}

function groupOf(
  { types = '', attributeTypes = [], queries = {}, mutations = {} }: GraphqlFeatureFields,
  shared: string,
  type: ContentType | undefined,
  { names, checkOf }: FeatureFieldsParts,
): Group | undefined {
  const all = { ...queries, ...mutations }
  if (Object.keys(all).length === 0) return undefined
  const own = type === undefined ? [] : Object.keys(placeholdersOf(type, names))
  const text = [
    ownScalarsText,
    ...['Pagination', 'AnyEntry', ...own].map((name) => `scalar ${name}`),
    ...new Set([shared, types]),
    `type Query { nothing: Boolean ${fieldsText(queries)} }`,
    Object.keys(mutations).length === 0 ? '' : `type Mutation { ${fieldsText(mutations)} }`,
  ]
  const meaningOf = (name: string, definition: GraphqlFeatureField): FeatureRootMeaning => {
    const { access, scope, policies } = definition
    const rule: AccessRule = {
      ...{ name, method: Object.hasOwn(mutations, name) ? 'POST' : 'GET', access },
      ...(scope && { scope }),
      ...(policies && { policies }),
    }
    const isMutation = Object.hasOwn(mutations, name)
    return { kind: 'feature', definition, check: checkOf(rule), type: type?.name, isMutation }
  }
  return {
    schema: buildSchema(text.join('\n')),
    type,
    attributeTypes: new Set(attributeTypes),
    meanings: new Map(Object.entries(all).map(([name, field]) => [name, meaningOf(name, field)])),
  }
}

function fieldsText(fields: Readonly<Record<string, GraphqlFeatureField>>): string {
  return Object.entries(fields)
    .map(([name, { type, arguments: args, description = '' }]) => {
      if (type.endsWith('!')) throw new Error(`${name} must be nullable`)
      return `${JSON.stringify(description)} ${name}${args === undefined ? '' : `(${args})`}: ${type}`
    })
    .join('\n')
}

/** The placeholder names of a content type, and the types for which they stand. */
function placeholdersOf(type: ContentType, names: GraphqlNames) {
  const { object, answer, input, updateInput, filters } = names.ofType(type)
  return {
    [object]: (parts: SchemaParts) => objectType(type, parts),
    [answer]: (parts: SchemaParts) => answerType(type, parts),
    [input]: (parts: SchemaParts) => inputType(type, parts),
    [updateInput]: (parts: SchemaParts) => updateInputType(type, parts),
    [filters]: (parts: SchemaParts) => filtersType(type, parts),
  }
}

interface Names {
  readonly taken: ReadonlySet<string>
  readonly fields: Set<string>
  readonly ownTypes: Set<string>
  readonly names: GraphqlNames
}

/** @throws Error if a name is taken */
function assertFree({ schema, type, meanings }: Group, { taken, fields, ownTypes, names }: Names): void {
  const known = new Set([
    ...['Query', 'Mutation', 'Pagination', 'AnyEntry', ...ownScalars.keys()],
    ...(type === undefined ? [] : Object.keys(placeholdersOf(type, names))),
  ])
  const clash = [...meanings.keys()].find((name) => fields.has(name))
  if (clash !== undefined) throw new Error(`there is a field ${clash} already`)
  const types = Object.values(schema.getTypeMap()).filter(
    ({ name, ...each }) =>
      !known.has(name) && !name.startsWith('__') && !isSpecifiedScalarType({ name, ...each } as never),
  )
  const double = types.find(({ name }) => taken.has(name) && !isBuiltIn(name))
  if (double !== undefined) throw new Error(`there is a type ${double.name} already`)
  for (const name of meanings.keys()) fields.add(name)
  for (const { name } of types) ownTypes.add(name)
}

const isBuiltIn = (name: string) => ['String', 'Boolean', 'Int', 'Float', 'ID'].includes(name)

function fieldsOf(group: Group, root: 'Query' | 'Mutation', parts: SchemaParts): Fields {
  const present = group.schema.getType(root)
  if (!isObjectType(present)) return {}
  const mapping = createMapping(group, parts)
  const made = Object.entries(present.toConfig().fields).flatMap(([name, field]) => {
    const meaning = group.meanings.get(name)
    if (meaning === undefined || !parts.mayUse(meaning)) return []
    const mapped = mapping.field(field)
    return Object.values(mapped.args ?? {}).some(takesNothing)
      ? []
      : [[name, { ...mapped, ...rootMeaning(meaning) }]]
  })
  return Object.fromEntries(made)
}

/** Whether no values are left of the enum of an argument. */
function takesNothing({ type }: { readonly type: GraphQLInputType }): boolean {
  const named = getNamedType(type)
  return isEnumType(named) && named.getValues().length === 0
}

type FieldConfig = Fields[string]

/** Replaces the placeholder scalars by the types of the service. */
function createMapping({ type, attributeTypes }: Group, parts: SchemaParts) {
  const placeholders: Readonly<Record<string, (parts: SchemaParts) => GraphQLNamedType>> = {
    ...(type === undefined ? {} : placeholdersOf(type, parts.names)),
    Pagination: paginationType,
    AnyEntry: anyEntryType,
  }

  function field({ args = {}, type: of, ...config }: FieldConfig): FieldConfig {
    const mappedArgs = Object.entries(args).map(([name, arg]) => [name, { ...arg, type: mapped(arg.type) }])
    const { resolve: _resolve, ...rest } = config
    return { ...rest, type: mapped(of), args: Object.fromEntries(mappedArgs) }
  }

  function mapped<T extends GraphQLType>(of: T): T {
    if (isNonNullType(of)) return new GraphQLNonNull(mapped(of.ofType)) as never
    if (isListType(of)) return new GraphQLList(mapped(of.ofType)) as never
    return named(of as GraphQLNamedType) as never
  }

  function named(of: GraphQLNamedType): GraphQLNamedType {
    const placeholder = placeholders[of.name]
    if (placeholder !== undefined) return placeholder(parts)
    const scalar = ownScalars.get(of.name)
    if (scalar !== undefined) return scalar
    if (isSpecifiedScalarType(of)) return of
    return parts.once(of.name, () => ownType(of))
  }

  /** The members of a type that the caller may see. */
  function shown<T>({ name }: GraphQLNamedType, members: Readonly<Record<string, T>>): [string, T][] {
    const isShown = (member: string) => {
      const attribute = attributeTypes.has(name) ? type?.attributes.get(member) : undefined
      return attribute === undefined || isReachable(attribute, parts)
    }
    return Object.entries(members).filter(([member]) => isShown(member))
  }

  function ownType(of: GraphQLNamedType): GraphQLNamedType {
    if (isObjectType(of)) {
      const { fields, ...config } = of.toConfig()
      return new GraphQLObjectType({
        ...config,
        fields: () => Object.fromEntries(shown(of, fields).map(([name, each]) => [name, field(each)])),
      })
    }
    if (isEnumType(of)) {
      const { values, ...config } = of.toConfig()
      return new GraphQLEnumType({ ...config, values: Object.fromEntries(shown(of, values)) })
    }
    if (!isInputObjectType(of)) return of
    const { fields, ...config } = of.toConfig()
    return new GraphQLInputObjectType({
      ...config,
      fields: () =>
        Object.fromEntries(
          Object.entries(fields).map(([name, each]) => [name, { ...each, type: mapped(each.type) }]),
        ),
    })
  }

  return { field }
}

/** The union of all types that the caller may read. */
function anyEntryType(parts: SchemaParts): GraphQLUnionType {
  return parts.once(
    'AnyEntry',
    () =>
      new GraphQLUnionType({
        name: 'AnyEntry',
        description: 'An entry of any content type.',
        types: () =>
          [...parts.schemas.types.values()]
            .filter(({ name }) => parts.may(name, 'read'))
            .map((type) => objectType(type, parts)),
      }),
  )
}
