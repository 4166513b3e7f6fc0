import { useSyncExternalStore } from 'react'

/** A hook that knows whether a media query holds. For what style sheets alone cannot change. */
function mediaQueryHook(query: string): () => boolean {
  const list = matchMedia(query)
  function subscribe(listener: () => void) {
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => list.matches)
}

/** Whether there is only room for one column: where phones begin, as in the style sheets. */
export const useIsNarrow = mediaQueryHook('(max-width: 48rem)')

/** Whether there is no room beside a form, as in the style sheets. */
export const useLacksSideColumn = mediaQueryHook('(max-width: 70rem)')
