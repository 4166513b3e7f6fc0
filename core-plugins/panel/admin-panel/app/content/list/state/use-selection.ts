import { useState } from 'react'
import { type ListState, stateToQuery } from './list-state.ts'

type Selection = ReadonlySet<number>

interface Kept {
  readonly of: string
  readonly ids: Selection
}

const none: Selection = new Set()

/** The selected entries. The selection is cleared when the filters change, since hidden entries would be changed unnoticed. */
export function useSelection({
  columns: _,
  view: _view,
  sort: _sort,
  from: _from,
  layout: _layout,
  ...state
}: ListState) {
  const of = stateToQuery(state)
  const [kept, keep] = useState<Kept>({ of, ids: none })
  const selected = kept.of === of ? kept.ids : none
  return [selected, (ids: Selection) => keep({ of, ids })] as const
}
