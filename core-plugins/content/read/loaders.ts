import type { EntryModel, InverseField } from '../entry-model.ts'
import type { PickedEntries, PopulateNode } from '../query/populate.ts'
import type { Visibility } from '../query/visibility.ts'
import { compileInverseIds, type InverseIds } from './inverse-ids.ts'
import { keep } from './keep.ts'
import { compileLoader, type Loader } from './loader.ts'
import type { ReadDeps } from './read-deps.ts'

/** Statements that load expanded entries, prepared on first use and kept. */
export interface Loaders {
  byId(target: EntryModel, node: PopulateNode): Loader
  inverse(field: InverseField, node: PopulateNode): InverseIds
}

export function createLoaders(visibility: Visibility, deps: ReadDeps): Loaders {
  const whole = new Map<string, Loader>()
  const picked = new Map<PopulateNode, Map<string, Loader>>()
  const inverses = new Map<InverseField, Map<PickedEntries | undefined, InverseIds>>()
  return {
    byId(target: EntryModel, node: PopulateNode): Loader {
      const kept = node.picked === undefined ? whole : keep(picked, node, () => new Map<string, Loader>())
      return keep(kept, target.type.name, () => compileLoader(target, node.picked, visibility, deps))
    },
    inverse(field: InverseField, node: PopulateNode): InverseIds {
      const kept = keep(inverses, field, () => new Map<PickedEntries | undefined, InverseIds>())
      return keep(kept, node.picked, () => compileInverseIds(field, node.picked, visibility, deps))
    },
  }
}
