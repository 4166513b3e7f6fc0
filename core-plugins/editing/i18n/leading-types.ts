import {
  type Attribute,
  componentsOf,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../foundation/schemas/schemas.ts'
import { isLocalized } from './columns.ts'

/** Names of the localised types, and of types with relations that lead to them through any number of steps. */
export function leadingToLocalized(schemas: Schemas): ReadonlySet<string> {
  const targets = new Map([...schemas.allTypes.values()].map((type) => [type.name, targetsOf(type, schemas)]))
  const leading = new Set([...schemas.types.values()].filter(isLocalized).map(({ name }) => name))
  let before = -1
  while (before < leading.size) {
    before = leading.size
    for (const [name, own] of targets) if (own.some((target) => leading.has(target))) leading.add(name)
  }
  return leading
}

interface Holder {
  readonly attributes: ReadonlyMap<string, Attribute>
}

/** The types that relations of a type refer to, including those in its components and zones. */
function targetsOf(holder: Holder, { components }: Schemas): string[] {
  const targets = new Set<string>()
  const seen = new Set<string>()
  const visit = ({ attributes }: Holder) => {
    for (const attribute of attributes.values()) {
      if (isReference(attribute)) targets.add(targetNameOf(attribute))
      for (const uid of componentsOf(attribute)) {
        const component = components.get(uid)
        if (component === undefined || seen.has(uid)) continue
        seen.add(uid)
        visit(component)
      }
    }
  }
  visit(holder)
  return [...targets]
}
