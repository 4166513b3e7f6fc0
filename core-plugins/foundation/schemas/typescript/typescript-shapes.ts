import { type Attribute, componentsOf, isInverse, isReference, isToMany, targetNameOf } from '../attribute.ts'
import type { ComponentType, ContentType } from '../content-type.ts'
import type { TypeNames } from './typescript-names.ts'

/** What a client's types need to know of a content type to derive the type of an answer from what is populated. */
export function typeShape(type: ContentType, names: TypeNames): string {
  const { entry, input, filters, shape } = names.ofType(type.name)
  const attributes = [...type.attributes.values()].filter((attribute) => !attribute.private)
  return shapeInterface(shape, entry, [
    `kind: ${JSON.stringify(type.kind)}`,
    `entry: ${entry}`,
    ...(type.system ? [] : [`input: ${input}`]),
    `filters: ${filters}`,
    ...connections(attributes, names),
  ])
}

/** The same for a component. */
export function componentShape(component: ComponentType, names: TypeNames): string {
  const { entry, shape } = names.ofComponent(component.uid)
  const attributes = [...component.attributes.values()]
  return shapeInterface(shape, entry, [`entry: ${entry}`, ...connections(attributes, names)])
}

function shapeInterface(name: string, entry: string, members: readonly string[]): string {
  const lines = members.map((member) => `  ${member}`)
  return [`/** What clients know of ${entry}. */`, `export interface ${name} {`, ...lines, '}'].join('\n')
}

/**
 * The fields through which populate continues: to other entries, or into components, which may have such fields
 * themselves.
 */
function connections(attributes: readonly Attribute[], names: TypeNames): string[] {
  const members = (lead: (attribute: Attribute) => string | undefined) => {
    const found = attributes.flatMap((attribute) => {
      const type = lead(attribute)
      return type === undefined ? [] : [`${attribute.name}: ${type}`]
    })
    return found.length === 0 ? '{}' : `{ ${found.join('; ')} }`
  }
  return [
    `references: ${members((attribute) => referenceShape(attribute, names))}`,
    `parts: ${members((attribute) => partShapes(attribute, names))}`,
  ]
}

function referenceShape(attribute: Attribute, names: TypeNames): string | undefined {
  if (!isReference(attribute)) return undefined
  const { shape } = names.ofType(targetNameOf(attribute))
  return `{ of: ${shape}; many: ${isToMany(attribute)}; inverse: ${isInverse(attribute)} }`
}

function partShapes(attribute: Attribute, names: TypeNames): string | undefined {
  const parts = componentsOf(attribute).map(
    (uid) => `${JSON.stringify(uid)}: ${names.ofComponent(uid).shape}`,
  )
  return parts.length === 0 ? undefined : `{ ${parts.join('; ')} }`
}
