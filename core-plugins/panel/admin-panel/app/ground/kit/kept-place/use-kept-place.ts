import { type RefObject, useEffect } from 'react'
import { loadPersistently } from '../../lazy/missing-parts.ts'

/**
 * Whoever comes back to a list finds it scrolled to where it was, with the focus on the row that was opened.
 * `address` says which list it is, with everything that decides about its rows.
 */
export function useKeptPlace(frame: RefObject<HTMLElement | null>, address: string): void {
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const gone = new AbortController()
    void loadPersistently(() => import('./keep-place.ts')).then(({ keepPlace }) => {
      if (!gone.signal.aborted) gone.signal.addEventListener('abort', keepPlace(element, address))
    })
    return () => gone.abort()
  }, [frame, address])
}
