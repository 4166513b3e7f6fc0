import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { type MediaView, readView, writeView } from './media-view.ts'

/** The view in the URL, and a function to change it. Searching adds no history entries. */
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
