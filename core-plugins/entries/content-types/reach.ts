import {
  type Attribute,
  type ComponentType,
  type ContentType,
  componentsOf,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../foundation/schemas/schemas.ts'

/** The part of the schemas that a caller may know. */
export interface Reach {
  readonly types: ReadonlySet<ContentType>
  readonly components: ReadonlySet<ComponentType>
  /** The attributes that do not refer to a type that the caller may not read, in the order of the file. */
  attributesOf(owner: ContentType | ComponentType): readonly Attribute[]
}

/**
 * Everything reachable from the readable types: system types and components are included only if one of those leads to them, so
 * that none reveals the existence of a type that the caller may not read.
 */
export function findReach(schemas: Schemas, mayRead: (type: string) => boolean, readsAll: boolean): Reach {
  const types = new Set<ContentType>()
  const components = new Set<ComponentType>()

  const isOpen = (attribute: Attribute) => {
    if (attribute.private) return false
    const target = isReference(attribute) ? schemas.allTypes.get(targetNameOf(attribute)) : undefined
    return target === undefined || target.system || mayRead(target.name)
  }
  const attributesOf: Reach['attributesOf'] = ({ attributes }) => [...attributes.values()].filter(isOpen)

  const addType = (type: ContentType | undefined) => {
    if (type === undefined || types.has(type)) return
    types.add(type)
    for (const attribute of attributesOf(type)) follow(attribute)
  }
  const addComponent = (component: ComponentType | undefined) => {
    if (component === undefined || components.has(component)) return
    components.add(component)
    for (const attribute of attributesOf(component)) follow(attribute)
  }
  const follow = (attribute: Attribute) => {
    for (const uid of componentsOf(attribute)) addComponent(schemas.components.get(uid))
    const target = isReference(attribute) ? schemas.allTypes.get(targetNameOf(attribute)) : undefined
    if (target?.system === true) addType(target)
  }

  for (const type of schemas.allTypes.values()) if (type.system ? readsAll : mayRead(type.name)) addType(type)
  if (readsAll) for (const component of schemas.components.values()) addComponent(component)
  return { types, components, attributesOf }
}
