import { parentOf, type ValuePath } from './store/value-path.ts'

/** Leads to fields that may be collapsed, in another tab, or still being loaded. */
export interface Reveal {
  readonly reveal: (path: ValuePath) => void
  /** For what can be collapsed: called with the path that is to be shown. */
  readonly onReveal: (listener: (path: ValuePath) => void) => () => void
  /** Says where the field of a path stands, while it does. */
  readonly register: (path: ValuePath, element: HTMLElement) => () => void
}

/** What is collapsed opens within a few frames; a heavy input needs longer for its first time. */
const maxFrames = 60
const focusable = 'input, select, textarea, [contenteditable=true], button, [tabindex="0"]'

export function createReveal(): Reveal {
  const listeners = new Set<(path: ValuePath) => void>()
  const elements = new Map<ValuePath, HTMLElement>()

  function focusAt(path: ValuePath): boolean {
    const element = elements.get(path)
    const target = element?.querySelector<HTMLElement>(focusable)
    if (target === null || target === undefined) return false
    element?.scrollIntoView({ block: 'center' })
    target.focus({ preventScroll: true })
    return true
  }

  /** Some problems are told of what has no field of its own, such as an item of a list. */
  function focusAround(path: ValuePath) {
    for (let above = path; above !== ''; above = parentOf(above)) if (focusAt(above)) return
  }

  function seek(path: ValuePath, framesLeft: number) {
    if (focusAt(path)) return
    if (framesLeft === 0) focusAround(path)
    else requestAnimationFrame(() => seek(path, framesLeft - 1))
  }

  return {
    reveal(path) {
      for (const listener of listeners) listener(path)
      seek(path, maxFrames)
    },
    onReveal(listener) {
      listeners.add(listener)
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
