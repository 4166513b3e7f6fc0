import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]'

/**
 * Keeps the focus in a part of the page whose focused button goes away, with the reference that it removed or when there
 * is no room for more: it goes to what stands in its place then. Without that it would be at the top of the page.
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>) {
  const last = useRef<{ readonly element: Element; readonly place: number }>(undefined)

  useEffect(() => {
    if (part.current === null) return
    // Parts of a list may go later than the drawing that removes them.
    const removals = new MutationObserver(() => {
      if (last.current === undefined || last.current.element.isConnected) return
      const { place } = last.current
      last.current = undefined
      // A dialog that closes at the same time looks for the button that opened it in the next frame.
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

/** The element at the place, or the nearest one that takes the focus: some are not to be seen, or load still. */
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
