import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type ListState, stateFromQuery, stateToQuery } from './list-state.ts'

/** Changes what a list shows. `replace` for what is typed or dragged: going back is not to pass through every letter. */
export type ChangeList = (change: ListChange, how?: { readonly replace?: boolean }) => void

/** What becomes different; undefined: the default again. */
export type ListChange = { readonly [Name in keyof ListState]?: ListState[Name] | undefined }

/** What the address says that the list shows, and how to change it. */
export function useListState(): readonly [ListState, ChangeList] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  // wouter decodes what it gives away, and what is decoded twice is another text.
  const state = useMemo(() => stateFromQuery(location.search), [search])
  const change = useCallback<ChangeList>(
    (part, { replace = false } = {}) => {
      // Whatever changes which entries there are, or their order, begins at the first one.
      const isElsewhere = Object.keys(part).some((name) => name !== 'columns' && name !== 'view')
      const next = { ...stateFromQuery(location.search), ...(isElsewhere && { from: undefined }), ...part }
      const query = stateToQuery(next as ListState)
      navigate(query === '' ? path : `${path}?${query}`, { replace })
    },
    [path, navigate],
  )
  return [state, change]
}
