import {
  type ContentType,
  componentsOf,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { PopulateTree } from './populate.ts'

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

/** The same, plus the types of the entry's own relations and media. */
export function referencedTypes(model: EntryModel, schemas: Schemas): Set<string> {
  const types = typesInComponents(model, schemas)
  for (const attribute of model.type.attributes.values()) {
    if (isReference(attribute)) types.add(targetNameOf(attribute))
  }
  return types
}

/** All types whose entries or ids may appear in an answer about `model`, or influence it through `lookedInto`. */
export function touchedTypes(
  model: EntryModel,
  { lookedInto, populate }: { readonly lookedInto: ReadonlySet<string>; readonly populate: PopulateTree },
  { models, schemas }: { readonly models: ReadonlyMap<string, EntryModel>; readonly schemas: Schemas },
): ContentType[] {
  // Expanded fields may refer to any type, and such queries are rare enough to visit all types.
  if (populate.size > 0) return [...schemas.types.values()].filter((type) => !type.system)
  const visited = [model, ...[...lookedInto].map((name) => models.get(name)).filter(isDefined)]
  const referenced = visited.flatMap((each) => [...referencedTypes(each, schemas)])
  const names = new Set([model.type.name, ...lookedInto, ...referenced])
  return [...names]
    .map((name) => models.get(name)?.type)
    .filter(isDefined)
    .filter((type) => !type.system)
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}
