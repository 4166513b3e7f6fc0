import type { Schemas } from '../../schemas/schemas.ts'
import { type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import { componentsOf } from './populate.ts'

/** Names of the types that relations and media inside components and zones lead to, however deep they stand. */
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

/** The same, and those that the entry's own relations and media lead to. */
export function referencedTypes(model: EntryModel, schemas: Schemas): Set<string> {
  const types = typesInComponents(model, schemas)
  for (const attribute of model.type.attributes.values()) {
    if (isReference(attribute)) types.add(targetNameOf(attribute))
  }
  return types
}
