import { parentOf, type ValuePath } from '../schema/value-path.ts'

/** Scrolls to and focuses fields that may be collapsed, in another tab, or still loading. */
export interface Reveal {
  readonly reveal: (path: ValuePath) => void
  /** For collapsible parts: the listener gets the path to reveal, immediately if a reveal is already pending. */
  readonly onReveal: (listener: (path: ValuePath) => void) => () => void
  /** Registers the element of a field's path; call the returned function when it is unmounted. */
  readonly register: (path: ValuePath, element: HTMLElement) => () => void
}

/** Collapsed parts open level by level within a few frames; after this time, the nearest enclosing element gets the focus. */
const patienceMs = 1_000
/** An input whose code is still loading gets the focus later, within this time, unless the focus has moved on. */
const longestMs = 10_000

const writable = 'input, select, textarea, [contenteditable=true]'
const focusable = `${writable}, button, [tabindex="0"]`

export function createReveal(): Reveal {
  const listeners = new Set<(path: ValuePath) => void>()
  const elements = new Map<ValuePath, HTMLElement>()
  let sought: ValuePath | undefined

  function focusAt(path: ValuePath): boolean {
    const element = elements.get(path)
    const target = element && targetIn(element)
    if (target === undefined) return false
    element?.scrollIntoView({ block: 'center' })
    target.focus({ preventScroll: true })
    return true
  }

  /** Some problems have paths without a field of their own, such as list items: focuses the nearest field around them. */
  function focusAround(path: ValuePath) {
    for (let above = path; above !== ''; above = parentOf(above)) if (focusAt(above)) return
  }

  function seek(path: ValuePath, since: number, around?: Element | null) {
    const hasMovedOn = around !== undefined && document.activeElement !== around
    const passedMs = performance.now() - since
    if (sought !== path) return
    if (hasMovedOn || focusAt(path) || passedMs > longestMs) {
      sought = undefined
      return
    }
    const isLate = around === undefined && passedMs > patienceMs
    if (isLate) focusAround(path)
    requestAnimationFrame(() => seek(path, since, isLate ? document.activeElement : around))
  }

  return {
    reveal(path) {
      sought = path
      for (const listener of listeners) listener(path)
      seek(path, performance.now())
    },
    onReveal(listener) {
      listeners.add(listener)
      if (sought !== undefined) listener(sought)
      return () => listeners.delete(listener)
    },
    register(path, element) {
      elements.set(path, element)
      return () => {
        if (elements.get(path) === element) elements.delete(path)
      }
    },
  }
}

/** Prefers inputs to buttons, and the field's own controls to those of fields and blocks inside it. */
function targetIn(element: HTMLElement): HTMLElement | undefined {
  const all = [...element.querySelectorAll<HTMLElement>(focusable)]
  const own = all.filter((each) => {
    const nearest = each.closest('[data-path], [data-block]')
    return nearest === element || nearest?.contains(element)
  })
  return own.find((each) => each.matches(writable)) ?? own[0] ?? all[0]
}
