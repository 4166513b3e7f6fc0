import { useCallback, useState } from 'react'

/** The scale for content of a width to fit into a box, and the height of the box. */
export function useScale(width: number) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  const box = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const scale = size.width === 0 ? 1 : Math.min(1, size.width / width)
  return { box, scale, height: size.height }
}
