import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]'

/**
 * Keeps the keyboard focus inside a part of the page when its focused button disappears, for example because a reference was
 * removed or the list is full. The focus moves to the element that takes the button's place; otherwise it would go to the top of
 * the page.
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>) {
  const last = useRef<{ readonly element: Element; readonly place: number }>(undefined)

  useEffect(() => {
    if (part.current === null) return
    // Elements of a list may be removed from the DOM after the render that removes them.
    const removals = new MutationObserver(() => {
      if (last.current === undefined || last.current.element.isConnected) return
      const { place } = last.current
      last.current = undefined
      // A dialog closing at the same time returns the focus to its opener in the next frame; wait until that is over.
      requestAnimationFrame(() => requestAnimationFrame(() => keepFocusIn(part.current, place)))
    })
    removals.observe(part.current, { childList: true, subtree: true })
    return () => removals.disconnect()
  }, [part])

  return {
    onFocus({ target }: FocusEvent) {
      if (part.current?.contains(target))
        last.current = { element: target, place: elementsIn(part.current).indexOf(target as HTMLElement) }
    },
  }
}

const elementsIn = (part: HTMLElement) => [...part.querySelectorAll<HTMLElement>(focusable)]

/** Focuses the element at the position, or the nearest focusable one: some may be hidden or still loading. */
function keepFocusIn(part: HTMLElement | null, place: number) {
  if (part === null || document.activeElement !== document.body) return
  const all = elementsIn(part)
  const distance = (element: HTMLElement) => Math.abs(all.indexOf(element) - place)
  for (const element of all.toSorted((left, right) => distance(left) - distance(right))) {
    element.focus()
    if (document.activeElement === element) return
  }
  part.tabIndex = -1
  part.focus()
}
