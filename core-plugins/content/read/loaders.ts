import type { EntryModel, InverseField } from '../entry-model.ts'
import type { PickedEntries, PopulateNode } from '../query/populate.ts'
import type { Visibility } from '../query/visibility.ts'
import {
  compileInverseIds,
  compileInverseTotals,
  type InverseIds,
  type InverseTotals,
} from './inverse-ids.ts'
import { keep } from './keep.ts'
import { compileLoader, type Loader } from './loader.ts'
import { compilePickedIds, type PickedIds } from './picked-ids.ts'
import type { ReadDeps } from './read-deps.ts'

/** Statements that load expanded entries, prepared on first use and kept. */
export interface Loaders {
  byId(target: EntryModel, node: PopulateNode): Loader
  /** Which of the entries of a type are picked. */
  picked(target: EntryModel, picked: PickedEntries): PickedIds
  inverse(field: InverseField, node: PopulateNode): InverseIds
  inverseTotals(field: InverseField, picked: PickedEntries): InverseTotals
}

export function createLoaders(visibility: Visibility, deps: ReadDeps): Loaders {
  const whole = new Map<string, Loader>()
  const some = new Map<PopulateNode, Map<string, Loader>>()
  const picks = new Map<PickedEntries, Map<string, PickedIds>>()
  const totals = new Map<InverseField, Map<PickedEntries, InverseTotals>>()
  const inverses = new Map<InverseField, Map<PickedEntries | undefined, InverseIds>>()
  return {
    byId(target: EntryModel, node: PopulateNode): Loader {
      const kept = node.picked === undefined ? whole : keep(some, node, () => new Map<string, Loader>())
      return keep(kept, target.type.name, () => compileLoader(target, node.picked, visibility, deps))
    },
    picked(target: EntryModel, picked: PickedEntries): PickedIds {
      const kept = keep(picks, picked, () => new Map<string, PickedIds>())
      return keep(kept, target.type.name, () => compilePickedIds(target, picked, visibility, deps))
    },
    inverse(field: InverseField, node: PopulateNode): InverseIds {
      const kept = keep(inverses, field, () => new Map<PickedEntries | undefined, InverseIds>())
      return keep(kept, node.picked, () => compileInverseIds(field, node.picked, visibility, deps))
    },
    inverseTotals(field: InverseField, picked: PickedEntries): InverseTotals {
      const kept = keep(totals, field, () => new Map<PickedEntries, InverseTotals>())
      return keep(kept, picked, () => compileInverseTotals(field, picked, visibility, deps))
    },
  }
}
