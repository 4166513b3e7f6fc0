import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type ListState, stateFromQuery, stateToQuery } from './list-state.ts'

/** Changes the state of a list. Pass `replace` for typing and dragging, so that the back button skips the steps in between. */
export type ChangeList = (change: ListChange, how?: { readonly replace?: boolean }) => void

/** The members to change; undefined restores the default. */
export type ListChange = { readonly [Name in keyof ListState]?: ListState[Name] | undefined }

/** The list state in the URL, and a function to change it. */
export function useListState(): readonly [ListState, ChangeList] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  // Read from `location`, since wouter has decoded its value, and decoding twice would change it.
  const state = useMemo(() => stateFromQuery(location.search), [search])
  const change = useCallback<ChangeList>(
    (part, { replace = false } = {}) => {
      // Any change of the entries or their order starts at the first row again.
      const isElsewhere = Object.keys(part).some((name) => name !== 'columns' && name !== 'view')
      const next = { ...stateFromQuery(location.search), ...(isElsewhere && { from: undefined }), ...part }
      const query = stateToQuery(next as ListState)
      navigate(query === '' ? path : `${path}?${query}`, { replace })
    },
    [path, navigate],
  )
  return [state, change]
}
