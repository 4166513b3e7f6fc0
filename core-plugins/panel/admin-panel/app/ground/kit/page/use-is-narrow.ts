import { useSyncExternalStore } from 'react'

/** Creates a hook that says whether a media query matches, for what style sheets alone cannot do. */
function mediaQueryHook(query: string): () => boolean {
  const list = matchMedia(query)
  function subscribe(listener: () => void) {
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => list.matches)
}

/** Whether there is room for only one column, as on phones; the same limit as in the style sheets. */
export const useIsNarrow = mediaQueryHook('(max-width: 48rem)')

/** Whether there is no room beside a form; the same limit as in the style sheets. */
export const useLacksSideColumn = mediaQueryHook('(max-width: 70rem)')
