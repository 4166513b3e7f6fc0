import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { type MediaView, readView, writeView } from './media-view.ts'

/** What the library shows, out of the address, and how to change it. Searching adds nothing to the history. */
export function useMediaView(): readonly [MediaView, (change: Partial<MediaView>) => void] {
  const [parameters, setParameters] = useSearchParams()
  const view = useMemo(() => readView(parameters), [parameters])
  const change = useCallback(
    (values: Partial<MediaView>) =>
      setParameters((now) => writeView({ ...readView(now), ...values }), { replace: 'search' in values }),
    [setParameters],
  )
  return [view, change]
}
