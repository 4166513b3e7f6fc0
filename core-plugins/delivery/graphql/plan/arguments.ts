import {
  type GraphQLField,
  GraphQLInputObjectType,
  type GraphQLInputType,
  getArgumentValues,
  getNamedType,
} from 'graphql'
import { filterOperators, operatorNamed } from '../../../foundation/schemas/schemas.ts'
import { isParameter } from '../schema/added-arguments.ts'
import { filterKeyOf, listsJsonPlaces } from '../schema/meaning.ts'
import type { Cost } from './cost.ts'
import type { FieldNodes, SelectionDeps } from './selected-fields.ts'

interface ArgumentDeps extends SelectionDeps {
  readonly cost: Pick<Cost, 'add'>
}

/**
 * The arguments of a field in the form of the content service, without those that are null. The cost of filters is counted per
 * condition at each use, since a variable may be used repeatedly.
 * @throws RefusedRequest 400 once the operation costs too much
 */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
  deps: ArgumentDeps,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(allArgumentsOf(field, nodes, deps))
  return Object.fromEntries(given.filter(([, value]) => value !== null))
}

/** Like `argumentsOf`, but includes null arguments. */
export function allArgumentsOf(
  field: GraphQLField<unknown, unknown>,
  [node]: FieldNodes,
  { variables, cost }: ArgumentDeps,
): Readonly<Record<string, unknown>> {
  if (field.args.length === 0) return {}
  const values = getArgumentValues(field, node, { ...variables })
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const filters = field.args.find(({ name }) => name === 'filters')
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      name === 'filters' && filters !== undefined && value !== null
        ? toFilters(value, filters.type, cost)
        : value,
    ]),
  )
}

/** The arguments for other plugins that restrict reads. */
export function addedParametersIn(
  field: GraphQLField<unknown, unknown>,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = field.args.filter(isParameter).map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (name in args ? [[name, args[name]]] : [])))
}

/** The arguments for the localisation plugin. */
export function parametersIn({
  locale,
  fallback,
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...(locale == null ? {} : { locale }),
    ...(fallback == null ? {} : { fallback }),
  }
}

/** Filters in the form of the content service: `{ title: { $contains: 'x' } }`. */
function toFilters(value: unknown, type: GraphQLInputType, cost: ArgumentDeps['cost']): unknown {
  const named = getNamedType(type)
  if (!(named instanceof GraphQLInputObjectType)) return value
  if (Array.isArray(value)) return value.map((item) => toFilters(item, named, cost))
  if (typeof value !== 'object' || value === null) return value
  const fields = named.getFields()
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const field = fields[name]
      if (field === undefined || member === undefined) return []
      cost.add(1)
      if (listsJsonPlaces(field)) {
        return member === null ? [] : [['$and', toJsonFilters(member, field.type, cost)]]
      }
      const key = filterKeyOf(field)
      return member === null ? [nullFilter(key)] : [[key, toFilters(member, field.type, cost)]]
    }),
  )
}

/** Filters of values inside JSON: `{ path: ["size", "height"], gt: 3 }` becomes `{ size: { height: { $gt: 3 } } }`. */
function toJsonFilters(places: unknown, type: GraphQLInputType, cost: ArgumentDeps['cost']): unknown[] {
  return (places as Record<string, unknown>[]).map(({ path, ...asked }) => {
    const operators = toFilters(asked, type, cost) as Record<string, unknown>
    const literal = Object.fromEntries(
      Object.entries(operators).map(([key, value]) => [key, literalOf(key, value)]),
    )
    return (path as string[]).reduceRight<unknown>((inner, key) => ({ [key]: inner }), literal)
  })
}

/** Marks a text as a literal string, whatever it looks like; operators on parts of texts always take strings. */
function literalOf(operator: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => literalOf(operator, item))
  const name = operatorNamed(operator)
  const isPart = name !== undefined && filterOperators[name].argument === 'text'
  return typeof value === 'string' && !isPart ? JSON.stringify(value) : value
}

/** `eq: null` and `ne: null` test for null and not null; a field filter that is null tests for null. */
function nullFilter(key: string): [string, unknown] {
  if (key === '$eq') return ['$null', true]
  if (key === '$ne') return ['$notNull', true]
  return [key, key.startsWith('$') ? null : { $null: true }]
}
