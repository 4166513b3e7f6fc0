import { parentOf, type ValuePath } from '../schema/value-path.ts'

/** Leads to fields that may be collapsed, in another tab, or still being loaded. */
export interface Reveal {
  readonly reveal: (path: ValuePath) => void
  /** For what can be collapsed: called with the path that is to be shown, at once if one is sought already. */
  readonly onReveal: (listener: (path: ValuePath) => void) => () => void
  /** Says where the field of a path stands, while it does. */
  readonly register: (path: ValuePath, element: HTMLElement) => () => void
}

/** What is collapsed opens within a few frames, level by level; then, the focus goes to what stands around the field. */
const patienceMs = 1_000
/** An input whose code is being fetched comes later, and gets the focus if that has not moved on. */
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

  /** Some problems are told of what has no field of its own, such as an item of a list. */
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

/** Where one writes, before the buttons around that; and its own, before those of fields and blocks within it. */
function targetIn(element: HTMLElement): HTMLElement | undefined {
  const all = [...element.querySelectorAll<HTMLElement>(focusable)]
  const own = all.filter((each) => {
    const nearest = each.closest('[data-path], [data-block]')
    return nearest === element || nearest?.contains(element)
  })
  return own.find((each) => each.matches(writable)) ?? own[0] ?? all[0]
}
