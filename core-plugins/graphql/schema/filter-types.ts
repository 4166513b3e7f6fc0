import {
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import type { ContentType } from '../../schemas/schemas.ts'
import { filterKey } from './meaning.ts'
import { booleanScalar, dateTimeScalar, idScalar, stringScalar } from './scalars.ts'
import { type SchemaParts, type ShownField, shownFields, targetOf } from './schema-parts.ts'
import { valueType } from './value-types.ts'

type Fields = GraphQLInputFieldConfigMap

const equality = ['eq', 'ne']
const order = ['lt', 'lte', 'gt', 'gte']
const texts = [
  ...['eqi', 'nei', 'contains', 'notContains', 'containsi', 'notContainsi'],
  ...['startsWith', 'startsWithi', 'endsWith', 'endsWithi'],
]
const lists = ['in', 'notIn', 'between']

/** What a list of entries is narrowed by: fields, all of which must hold, and groups of them. */
export function filtersType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { filters } = parts.names.ofType(type)
  return parts.once(filters, () => inputObject(filters, () => typeFilters(type, parts)))
}

/** What entries are asked of those that a relation leads to. */
function relationFiltersType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { relationFilters } = parts.names.ofType(type)
  return parts.once(relationFilters, () =>
    inputObject(relationFilters, () => ({ ...nullness(), ...typeFilters(type, parts) })),
  )
}

function inputObject(name: string, fields: () => Fields): GraphQLInputObjectType {
  return new GraphQLInputObjectType({ name, fields })
}

/** An attribute called as a group is takes the name; the group is had in another way then. */
function typeFilters(type: ContentType, parts: SchemaParts): Fields {
  const filters = filtersType(type, parts)
  const groups: Fields = {
    and: operator('and', listOf(filters)),
    or: operator('or', listOf(filters)),
    not: operator('not', filters),
  }
  const fields = shownFields(type, parts).flatMap((field): [string, GraphQLInputFieldConfig][] => {
    const filter = fieldFilter(field, parts)
    return filter === undefined ? [] : [[field.name, { type: filter }]]
  })
  return { ...groups, ...Object.fromEntries(fields) }
}

/** Undefined where there is nothing to compare: components and zones. */
function fieldFilter({ name, attribute }: ShownField, parts: SchemaParts): GraphQLInputType | undefined {
  if (attribute === undefined) return systemFilter(name, parts)
  const target = targetOf(attribute, parts)
  if (target !== undefined) return relationFiltersType(target, parts)
  if (attribute.type === 'component' || attribute.type === 'dynamicZone') return undefined
  const type = valueType(attribute, parts)
  const isOwn = attribute.type === 'enum' && type !== stringScalar
  const filterName = isOwn ? parts.names.ofAttribute(attribute).filter : `${type.name}FilterInput`
  if (attribute.type === 'json') return operatorsType(filterName, type, [], parts)
  if (type === stringScalar) return operatorsType(filterName, type, [...order, ...texts], parts)
  const comparisons = isOwn || attribute.type === 'boolean' ? [] : order
  return operatorsType(filterName, type, comparisons, parts)
}

function systemFilter(name: string, parts: SchemaParts): GraphQLInputType {
  if (name === 'id') return operatorsType('IDFilterInput', idScalar, order, parts)
  return name.endsWith('_at')
    ? operatorsType('DateTimeFilterInput', dateTimeScalar, order, parts)
    : operatorsType('StringFilterInput', stringScalar, [...order, ...texts], parts)
}

type Scalar = ReturnType<typeof valueType>

function operatorsType(name: string, type: Scalar, more: readonly string[], parts: SchemaParts) {
  const isComparable = type.name !== 'JSON'
  const single = isComparable ? [...equality, ...more] : []
  const several = isComparable ? lists.filter((key) => key !== 'between' || more.includes('lt')) : []
  return parts.once(name, (): GraphQLInputObjectType => {
    const self: GraphQLInputObjectType = inputObject(name, () => ({
      ...nullness(),
      ...Object.fromEntries(single.map((key) => [key, operator(key, type)])),
      ...Object.fromEntries(several.map((key) => [key, operator(key, listOf(type))])),
      not: operator('not', self),
    }))
    return self
  })
}

function nullness(): Fields {
  return { null: operator('null', booleanScalar), notNull: operator('notNull', booleanScalar) }
}

function operator(key: string, type: GraphQLInputType): GraphQLInputFieldConfig {
  return { type, ...filterKey(`$${key}`) }
}

const listOf = (type: GraphQLInputType) => new GraphQLList(new GraphQLNonNull(type as GraphQLInputObjectType))
