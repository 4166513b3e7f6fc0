import type { JsonMember, JsonMembers, JsonShape } from '../database/database.ts'
import {
  type Attribute,
  type ComponentsAttribute,
  holdsComponents,
  isInverse,
  isList,
  isReference,
  isToMany,
  targetNameOf,
} from './attribute.ts'
import type { Schemas } from './schemas-service.ts'

/**
 * Returns the shape of the JSON of an attribute with components; the members of each component are a single shared
 * object.
 */
export type JsonShapeOf = (attribute: ComponentsAttribute) => JsonShape

export function createJsonShapes({
  components,
  allTypes,
}: Pick<Schemas, 'components' | 'allTypes'>): JsonShapeOf {
  const known = new Map<string, JsonMembers>()

  function membersOf(uid: string): JsonMembers {
    const kept = known.get(uid)
    if (kept !== undefined) return kept
    const attributes = [...(components.get(uid)?.attributes.values() ?? [])]
    const stored = attributes.filter((attribute) => !attribute.private && !isInverse(attribute))
    const members = Object.fromEntries(stored.map((attribute) => [attribute.name, memberOf(attribute)]))
    known.set(uid, members)
    return members
  }

  function memberOf(attribute: Attribute): JsonMember {
    const { renamedFrom, plugin } = attribute
    return {
      ...partOf(attribute),
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      ...(plugin === undefined ? {} : { plugin }),
    }
  }

  function partOf(attribute: Attribute): JsonShape {
    if (holdsComponents(attribute)) return shapeOf(attribute)
    if (!isReference(attribute)) return { is: 'value', kind: attribute.definition.column(attribute).kind }
    const target = targetNameOf(attribute)
    return { is: 'ids', table: allTypes.get(target)?.table ?? target, isList: isToMany(attribute) }
  }

  function shapeOf(attribute: ComponentsAttribute): JsonShape {
    if (attribute.type === 'dynamicZone') {
      const entries = attribute.components.map((uid) => [uid, membersOf(uid)] as const)
      return { is: 'blocks', components: Object.fromEntries(entries) }
    }
    const { component, repeatable } = attribute
    const isNullIfEmpty = repeatable && !isList(attribute)
    return {
      ...{ is: 'items', component, members: membersOf(component), isList: repeatable },
      ...(isNullIfEmpty ? { isNullIfEmpty } : {}),
    }
  }

  return shapeOf
}
