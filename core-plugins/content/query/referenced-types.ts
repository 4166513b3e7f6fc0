import { componentsOf, isReference, type Schemas, targetNameOf } from '../../schemas/schemas.ts'
import type { EntryModel } from '../entry-model.ts'

/** Names of the types that relations and media inside components and zones refer to, at any depth. */
export function typesInComponents({ type }: EntryModel, schemas: Schemas): Set<string> {
  const types = new Set<string>()
  const seen = new Set<string>()
  const visit = (uid: string) => {
    if (seen.has(uid)) return
    seen.add(uid)
    for (const attribute of schemas.components.get(uid)?.attributes.values() ?? []) {
      if (isReference(attribute)) types.add(targetNameOf(attribute))
      componentsOf(attribute).forEach(visit)
    }
  }
  for (const attribute of type.attributes.values()) componentsOf(attribute).forEach(visit)
  return types
}

/** The same, plus those that the entry's own relations and media refer to. */
export function referencedTypes(model: EntryModel, schemas: Schemas): Set<string> {
  const types = typesInComponents(model, schemas)
  for (const attribute of model.type.attributes.values()) {
    if (isReference(attribute)) types.add(targetNameOf(attribute))
  }
  return types
}
