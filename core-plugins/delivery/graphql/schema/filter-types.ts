import {
  GraphQLEnumType,
  GraphQLFloat,
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import type { ColumnKind } from '../../../foundation/database/database.ts'
import {
  type ContentType,
  type DynamicZoneAttribute,
  filterOperators,
  type GraphqlScalarName,
  type GraphqlValue,
  holdsComponents,
  isPlaceOperator,
  isReference,
  type OperatorArgument,
  type OperatorName,
  operatorsAsking,
  textOperators,
  type ValueAttribute,
  valueOperators,
} from '../../../foundation/schemas/schemas.ts'
import { scalarOfKind } from './column-scalars.ts'
import { filterKey, jsonPlaces } from './meaning.ts'
import { anyJson, booleanScalar, dateTimeScalar, idScalar, stringScalar } from './scalars.ts'
import { isReachable, type SchemaParts, type ShownField, shownFields, targetOf } from './schema-parts.ts'
import { scalars, valueType } from './value-types.ts'

type Fields = GraphQLInputFieldConfigMap

const equality = operatorsAsking('equality')

/** The filters of a list of entries: fields, which are all required to match, and groups of filters. */
export function filtersType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { filters } = parts.names.ofType(type)
  return parts.once(filters, () => inputObject(filters, () => typeFilters(type, parts)))
}

/** The filters of related entries. */
function relationFiltersType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { relationFilters } = parts.names.ofType(type)
  return parts.once(relationFilters, () =>
    inputObject(relationFilters, () => ({ ...nullness(), ...typeFilters(type, parts) })),
  )
}

function inputObject(name: string, fields: () => Fields): GraphQLInputObjectType {
  return new GraphQLInputObjectType({ name, fields })
}

/** An attribute with the name of a group replaces the group, which can be expressed in another way. */
function typeFilters(type: ContentType, parts: SchemaParts): Fields {
  return groupsAndFields(filtersType(type, parts), shownFields(type, parts), parts)
}

function groupsAndFields(
  filters: GraphQLInputObjectType,
  shown: readonly ShownField[],
  parts: SchemaParts,
): Fields {
  const groups: Fields = {
    and: operator('and', listOf(filters)),
    or: operator('or', listOf(filters)),
    not: operator('not', filters),
  }
  const fields = shown.flatMap((field): [string, GraphQLInputFieldConfig][] => {
    const filter = fieldFilter(field, parts)
    return filter === undefined ? [] : [[field.name, { type: filter }]]
  })
  return { ...groups, ...Object.fromEntries(fields) }
}

/** Undefined for relations to types that the caller may not read. */
function fieldFilter(
  { name, attribute, kind }: ShownField,
  parts: SchemaParts,
): GraphQLInputType | undefined {
  if (kind !== undefined) return addedFilter(kind, parts)
  if (attribute === undefined) return systemFilter(name, parts)
  const target = targetOf(attribute, parts)
  if (target !== undefined) return relationFiltersType(target, parts)
  if (attribute.type === 'component') return componentFiltersType(attribute.component, parts)
  if (holdsComponents(attribute)) return zoneFiltersType(attribute, parts)
  if (isReference(attribute)) return undefined
  if (attribute.type === 'json') return jsonFiltersType(parts)
  const type = valueType(attribute, parts)
  const isOwn = type instanceof GraphQLEnumType
  const filterName = isOwn ? parts.names.ofAttribute(attribute).filter : `${type.name}FilterInput`
  return operatorsType({ name: filterName, type, operators: operatorsOf(attribute, type) }, parts)
}

/** Filters of a component, at least one of which must match if there are several. */
function componentFiltersType(uid: string, parts: SchemaParts): GraphQLInputObjectType {
  const { fieldFilters } = parts.names.ofComponent(uid)
  return parts.once(fieldFilters, () =>
    inputObject(fieldFilters, () => ({ ...nullness(), ...itemFilters(uid, parts) })),
  )
}

function itemFiltersType(uid: string, parts: SchemaParts): GraphQLInputObjectType {
  const { filters } = parts.names.ofComponent(uid)
  return parts.once(filters, () => inputObject(filters, () => itemFilters(uid, parts)))
}

function itemFilters(uid: string, parts: SchemaParts): Fields {
  const attributes = [...(parts.schemas.components.get(uid)?.attributes.values() ?? [])]
  const fields = attributes.filter((attribute) => isReachable(attribute, parts))
  return groupsAndFields(
    itemFiltersType(uid, parts),
    fields.map((attribute) => ({ name: attribute.name, attribute })),
    parts,
  )
}

/** Filters by component, under the name of its type. */
function zoneFiltersType(attribute: DynamicZoneAttribute, parts: SchemaParts): GraphQLInputObjectType {
  const { filter } = parts.names.ofAttribute(attribute)
  return parts.once(filter, (): GraphQLInputObjectType => {
    const self: GraphQLInputObjectType = inputObject(filter, () => {
      const blocks = attribute.components.map((uid): [string, GraphQLInputFieldConfig] => [
        parts.names.ofComponent(uid).object,
        { type: itemFiltersType(uid, parts), ...filterKey(uid) },
      ])
      return { ...nullness(), ...Object.fromEntries(blocks), not: operator('not', self) }
    })
    return self
  })
}

/** Filters of a JSON value; `at` filters values inside it. */
function jsonFiltersType(parts: SchemaParts): GraphQLInputObjectType {
  const places = parts.once('JSONPathFilterInput', () =>
    inputObject('JSONPathFilterInput', () => ({
      path: {
        type: new GraphQLNonNull(listOf(stringScalar)),
        description: 'The keys that lead to the value',
      },
      ...nullness(),
      ...operatorFields(textOperators, anyJson),
    })),
  )
  return parts.once('JSONFilterInput', (): GraphQLInputObjectType => {
    const self: GraphQLInputObjectType = inputObject('JSONFilterInput', () => ({
      ...nullness(),
      at: { type: listOf(places), ...jsonPlaces },
      and: operator('and', listOf(self)),
      or: operator('or', listOf(self)),
      not: operator('not', self),
    }))
    return self
  })
}

/** Several field types may share a scalar, and thus its filters. */
const operatorsOfScalar: Readonly<Record<GraphqlScalarName, readonly OperatorName[]>> = {
  String: textOperators,
  Int: valueOperators,
  BigInt: valueOperators,
  Decimal: valueOperators,
  Boolean: equality,
  Date: valueOperators,
  DateTime: valueOperators,
  JSON: [],
}

function operatorsOf(attribute: ValueAttribute, type: ValueType): readonly OperatorName[] {
  if (type instanceof GraphQLEnumType) return equality
  const { definition } = attribute
  const value: GraphqlValue = definition.graphql(attribute)
  if ('ownScalar' in value) return definition.filter.operators
  return operatorsOfScalar['scalar' in value ? value.scalar : 'String']
}

function systemFilter(name: string, parts: SchemaParts): GraphQLInputType {
  if (name === 'id') {
    return operatorsType({ name: 'IDFilterInput', type: idScalar, operators: valueOperators }, parts)
  }
  return name.endsWith('_at')
    ? operatorsType({ name: 'DateTimeFilterInput', type: dateTimeScalar, operators: valueOperators }, parts)
    : operatorsType({ name: 'StringFilterInput', type: stringScalar, operators: textOperators }, parts)
}

/** A plugin's column has the same filters as an attribute. */
function addedFilter(kind: ColumnKind, parts: SchemaParts): GraphQLInputType {
  if (kind === 'json') return jsonFiltersType(parts)
  const scalar = scalarOfKind(kind)
  const type = scalars[scalar]
  return kind === 'point'
    ? operatorsType({ name: 'PointFilterInput', type, operators: operatorsAsking('place') }, parts)
    : operatorsType({ name: `${scalar}FilterInput`, type, operators: operatorsOfScalar[scalar] }, parts)
}

type ValueType = ReturnType<typeof valueType>

interface Operators {
  readonly name: string
  readonly type: ValueType
  readonly operators: readonly OperatorName[]
}

function operatorsType({ name, type, operators }: Operators, parts: SchemaParts) {
  return parts.once(name, (): GraphQLInputObjectType => {
    const self: GraphQLInputObjectType = inputObject(name, () => ({
      ...nullness(),
      ...operatorFields(operators, type),
      not: operator('not', self),
    }))
    return self
  })
}

const severalArguments: ReadonlySet<OperatorArgument> = new Set(['values', 'pair', 'circle', 'area'])

/** Operators that take one value come before those that take several. */
function operatorFields(operators: readonly OperatorName[], type: ValueType): Fields {
  const takesSeveral = (key: OperatorName) => severalArguments.has(filterOperators[key].argument)
  const fieldOf = (key: OperatorName): [string, GraphQLInputFieldConfig] => {
    const field = key.slice(1)
    const isText = type === anyJson && filterOperators[key].argument === 'text'
    if (isPlaceOperator(key)) return [field, operator(field, listOf(GraphQLFloat))]
    return [field, operator(field, takesSeveral(key) ? listOf(type) : isText ? stringScalar : type)]
  }
  return Object.fromEntries([
    ...operators.filter((key) => !takesSeveral(key)).map(fieldOf),
    ...operators.filter(takesSeveral).map(fieldOf),
  ])
}

function nullness(): Fields {
  return { null: operator('null', booleanScalar), notNull: operator('notNull', booleanScalar) }
}

function operator(key: string, type: GraphQLInputType): GraphQLInputFieldConfig {
  return { type, ...filterKey(`$${key}`) }
}

const listOf = (type: GraphQLInputType) => new GraphQLList(new GraphQLNonNull(type as GraphQLInputObjectType))
