import { typedValue } from '../../content/schema/typed-value.ts'
import type { DescribedAttribute, DescribedType } from '../../ground/api/content-types.ts'

/** The API request for what a list or form shows. */
export interface ReadRequest {
  readonly type: DescribedType
  /** All known types, since conditions may refer to related types. */
  readonly types: readonly DescribedType[]
  /** Undefined for a list and for the entry of a single type. */
  readonly id?: number
  /** In the format of the typed client. */
  readonly query: ReadQuery
}

export interface ReadQuery {
  readonly filters?: unknown
  readonly search?: string
  readonly locale?: string
  readonly deleted?: boolean
  readonly draft?: boolean
  readonly fields?: readonly string[]
  readonly populate?: Readonly<Record<string, true>>
  readonly sort?: string
  readonly limit?: number
}

type Types = readonly DescribedType[]

/**
 * Converts condition values to the types of their fields: the panel has all values as text, which REST accepts for any field but
 * typed clients do not.
 */
export function typedFilters(node: unknown, type: DescribedType, types: Types): unknown {
  if (Array.isArray(node)) return node.map((each) => typedFilters(each, type, types))
  return Object.fromEntries(
    Object.entries(node as object).map(([name, inner]) => {
      if (name.startsWith('$')) return [name, typedFilters(inner, type, types)]
      return [name, typedCondition(inner, attributeOf(type, name), types)]
    }),
  )
}

/** The typed operators of a field, or the conditions on a related type. */
function typedCondition(node: unknown, attribute: DescribedAttribute | undefined, types: Types): unknown {
  const target = types.find(({ name }) => name === attribute?.target)
  return Object.fromEntries(
    Object.entries(node as object).map(([name, inner]) => {
      if (name.startsWith('$')) return [name, typedOperand(name, inner, attribute)]
      const inside = target === undefined ? undefined : attributeOf(target, name)
      return [name, typedCondition(inner, inside, types)]
    }),
  )
}

function typedOperand(operator: string, value: unknown, attribute: DescribedAttribute | undefined): unknown {
  if (operator === '$null' || operator === '$notNull') return value === 'true'
  if (Array.isArray(value)) return value.map((each) => typedOperand(operator, each, attribute))
  const isId = attribute?.name === 'id' || attribute?.target !== undefined
  return typedValue(String(value), isId ? 'integer' : (attribute?.type ?? 'string'))
}

const idAttribute: DescribedAttribute = { name: 'id', type: 'integer', required: true, localized: false }

/** The attribute of a name, including `id`; undefined for other system fields. */
export const attributeOf = (type: DescribedType, name: string): DescribedAttribute | undefined =>
  name === 'id' ? idAttribute : type.attributes.find((each) => each.name === name)
