import { type RefObject, useEffect } from 'react'
import { loadPersistently } from '../../lazy/missing-parts.ts'

/**
 * Restores the scroll position of a list and the focus on the row that was opened. `address` identifies the list, including
 * everything that affects its rows.
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
