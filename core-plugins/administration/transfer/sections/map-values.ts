import {
  type Attribute,
  type ComponentType,
  type ContentType,
  holdsComponents,
  isInverse,
  isReference,
  type ReferenceAttribute,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'

type Values = Readonly<Record<string, unknown>>

export interface Mapping {
  readonly components: Schemas['components']
  /** Returns the replacement of one reference; undefined removes it. */
  readonly refer: (attribute: ReferenceAttribute, value: unknown) => unknown
  /** Leaves out empty values, so that a newly added attribute does not count as a difference. */
  readonly isCompact?: boolean
}

/** The values of an entry, or of a component, with its references replaced at any depth. */
export function mapValues(
  owner: ContentType | ComponentType,
  values: Values,
  mapping: Mapping,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = {}
  for (const attribute of owner.attributes.values()) {
    if (isInverse(attribute) || attribute.private || !Object.hasOwn(values, attribute.name)) continue
    const value = mapValue(attribute, values[attribute.name], mapping)
    if (mapping.isCompact !== true || !isEmpty(value)) mapped[attribute.name] = value
  }
  return mapped
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function mapValue(attribute: Attribute, value: unknown, mapping: Mapping): unknown {
  if (value === null || value === undefined) return null
  if (isReference(attribute)) {
    if (!Array.isArray(value)) return mapping.refer(attribute, value) ?? null
    return value.map((each) => mapping.refer(attribute, each)).filter((each) => each !== undefined)
  }
  if (!holdsComponents(attribute)) return value
  return Array.isArray(value)
    ? value.map((item) => mapItem(attribute, item, mapping))
    : mapItem(attribute, value, mapping)
}

/** Keeps the ids of items, so that the same block can be compared between environments. */
function mapItem(attribute: Attribute, item: unknown, mapping: Mapping): unknown {
  if (typeof item !== 'object' || item === null) return item
  const values = item as Values
  const uid = attribute.type === 'component' ? attribute.component : String(values.__component)
  const component = mapping.components.get(uid)
  if (component === undefined) return item
  const { __component, id } = values
  return {
    ...(__component === undefined ? {} : { __component }),
    ...(id === undefined ? {} : { id }),
    ...mapValues(component, values, mapping),
  }
}
