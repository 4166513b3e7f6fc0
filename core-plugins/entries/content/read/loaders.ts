import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import type { PickedEntries, PopulateNode } from '../query/populate.ts'
import { type ChosenStandIns, standInsFor } from '../query/stand-ins.ts'
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
import { compileStandInIds, type StandInIds } from './stand-in-ids.ts'

/** Statements that load expanded entries, prepared on first use and kept. */
export interface Loaders {
  byId(target: EntryModel, node: PopulateNode): Loader
  /** Finds the stand-ins of a type's entries; undefined: they are shown themselves. */
  standIns(target: EntryModel): StandInIds | undefined
  /** Finds the entries of a type that match the options. */
  picked(target: EntryModel, picked: PickedEntries): PickedIds
  inverse(field: InverseField, node: PopulateNode): InverseIds
  inverseTotals(field: InverseField, picked: PickedEntries): InverseTotals
}

export function createLoaders(
  standIns: readonly ChosenStandIns[],
  visibility: Visibility,
  deps: ReadDeps,
): Loaders {
  const whole = new Map<string, Loader>()
  const some = new Map<PopulateNode, Map<string, Loader>>()
  const chosen = new Map<EntryModel, StandInIds | undefined>()
  const picks = new Map<PickedEntries, Map<string, PickedIds>>()
  const totals = new Map<InverseField, Map<PickedEntries, InverseTotals>>()
  const inverses = new Map<InverseField, Map<PickedEntries | undefined, InverseIds>>()
  return {
    byId(target: EntryModel, node: PopulateNode): Loader {
      const isWhole = node.picked === undefined && (standIns.length === 0 || node.inside.size === 0)
      const kept = isWhole ? whole : keep(some, node, () => new Map<string, Loader>())
      return keep(kept, target.type.name, () => compileLoader(target, { node, standIns }, visibility, deps))
    },
    standIns(target: EntryModel): StandInIds | undefined {
      return keep(chosen, target, () => {
        const own = standInsFor(standIns, target)
        return own && compileStandInIds(target, own, visibility, deps)
      })
    },
    picked(target: EntryModel, picked: PickedEntries): PickedIds {
      const kept = keep(picks, picked, () => new Map<string, PickedIds>())
      return keep(kept, target.type.name, () => compilePickedIds(target, picked, visibility, deps))
    },
    inverse(field: InverseField, node: PopulateNode): InverseIds {
      const kept = keep(inverses, field, () => new Map<PickedEntries | undefined, InverseIds>())
      return keep(kept, node.picked, () =>
        compileInverseIds({ field, picked: node.picked, standIns }, visibility, deps),
      )
    },
    inverseTotals(field: InverseField, picked: PickedEntries): InverseTotals {
      const kept = keep(totals, field, () => new Map<PickedEntries, InverseTotals>())
      return keep(kept, picked, () => compileInverseTotals({ field, picked, standIns }, visibility, deps))
    },
  }
}
