import { type PointerEvent, type RefObject, useRef, useState } from 'react'

/** An item being dragged. */
export interface Drag {
  readonly from: number
  /** The index of the item before which it would be dropped; the count stands for the end. */
  readonly before: number
}

export interface Sortable<List extends HTMLElement> {
  /** A ref for the element whose children are the items, in order. */
  readonly list: RefObject<List | null>
  readonly drag: Drag | undefined
  /** The props for the handle of the item at an index. */
  readonly handle: (index: number) => HandleProps
}

export interface HandleProps {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
}

/** Shorter movements are clicks with an unsteady hand. */
const leastPixels = 4

/**
 * Makes items of a vertical list draggable by their handles, with mouse, pen or touch. Offer a keyboard alternative as well: Alt
 * with the arrow keys, and a menu. The handle needs `touch-action: none`.
 */
export function useSortable<List extends HTMLElement>(
  onMove: (from: number, before: number) => void,
): Sortable<List> {
  const list = useRef<List>(null)
  const [drag, setDrag] = useState<Drag>()

  function start(event: PointerEvent<HTMLElement>, from: number) {
    if (event.button !== 0) return
    const handle = event.currentTarget
    const startY = event.clientY
    const end = new AbortController()
    const { signal } = end
    let latest: Drag | undefined

    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', move, { signal })
    handle.addEventListener('pointerup', () => finish(true), { signal })
    handle.addEventListener('pointercancel', () => finish(false), { signal })
    addEventListener('keydown', cancelByEscape, { signal, capture: true })

    function move({ clientY }: globalThis.PointerEvent) {
      if (latest === undefined && Math.abs(clientY - startY) < leastPixels) return
      const items = [...(list.current?.children ?? [])]
      const before = items.filter((item) => middleOf(item) < clientY).length
      items[Math.min(before, items.length - 1)]?.scrollIntoView({ block: 'nearest' })
      latest = { from, before }
      setDrag(latest)
    }

    function finish(isDropped: boolean) {
      end.abort()
      setDrag(undefined)
      const isElsewhere = latest !== undefined && latest.before !== from && latest.before !== from + 1
      if (isDropped && isElsewhere && latest !== undefined) onMove(from, latest.before)
    }

    function cancelByEscape(key: KeyboardEvent) {
      if (key.key !== 'Escape') return
      key.preventDefault()
      key.stopPropagation()
      finish(false)
    }
  }

  return { list, drag, handle: (index) => ({ onPointerDown: (event) => start(event, index) }) }
}

function middleOf(item: Element): number {
  const { top, height } = item.getBoundingClientRect()
  return top + height / 2
}
