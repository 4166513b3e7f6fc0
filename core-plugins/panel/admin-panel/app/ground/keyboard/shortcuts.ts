import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { type Combination, isPressed, isSingleKey, parseCombination } from './combination.ts'
import { areSingleKeysOn } from './single-keys.ts'

/** A key and what it does, as a screen registers it. */
export interface Shortcut {
  /** `Mod+s`, `Mod+Enter`, `Alt+ArrowUp`, `x`, `?`; Mod is ⌘ on Macs and Ctrl elsewhere. */
  readonly keys: string
  /** What it does, for the help that `?` opens. */
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
  /** It is listed, and does nothing now. */
  readonly isDisabled?: boolean
}

export interface ShortcutScope {
  /** The heading in the help: the name of the screen or part. */
  readonly group: string
  /**
   * Where the keys work: with focus inside of this element only, a grid or a field. Without it they work on the whole
   * page, as long as no dialog is open over it.
   */
  readonly within?: RefObject<HTMLElement | null>
}

/** Shortcuts of one part of the page that is there now. */
export interface ShortcutGroup {
  readonly group: string
  readonly shortcuts: readonly Shortcut[]
}

interface Registered {
  readonly scope: ShortcutScope
  readonly current: () => readonly Shortcut[]
}

const combinations = new Map<string, Combination>()
let registered: readonly Registered[] = []
const listeners = new Set<() => void>()

/**
 * Gives the screen keys for as long as it is there. They do nothing while one types, unless they are held together with
 * Mod or Alt. Of two with the same keys, the one that was registered last wins, which is the inner one.
 */
export function useShortcuts(scope: ShortcutScope, shortcuts: readonly Shortcut[]) {
  const newest = useRef(shortcuts)
  newest.current = shortcuts
  const { group, within } = scope
  useEffect(() => {
    const own: Registered = {
      scope: { group, ...(within === undefined ? {} : { within }) },
      current: () => newest.current,
    }
    set([...registered, own])
    return () => set(registered.filter((each) => each !== own))
  }, [group, within])
}

/** All that work somewhere on the page now, those of the inner parts first. */
export function useAllShortcuts(): readonly ShortcutGroup[] {
  const all = useSyncExternalStore(subscribe, () => registered)
  const groups = new Map<string, Shortcut[]>()
  for (const { scope, current } of all.toReversed()) {
    groups.set(scope.group, [...(groups.get(scope.group) ?? []), ...current()])
  }
  return [...groups].map(([group, shortcuts]) => ({ group, shortcuts }))
}

function set(next: readonly Registered[]) {
  if (registered.length === 0 && next.length > 0) {
    addEventListener('keydown', beforeButtons, true)
    addEventListener('keydown', onKeyDown)
  }
  if (next.length === 0) {
    removeEventListener('keydown', beforeButtons, true)
    removeEventListener('keydown', onKeyDown)
  }
  registered = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A button takes Enter for itself whatever is held with it, and would be pressed besides. */
function beforeButtons(event: KeyboardEvent) {
  if (!(event.ctrlKey || event.metaKey) || isTypedInto(targetOf(event))) return
  onKeyDown(event)
  if (event.defaultPrevented) event.stopPropagation()
}

const targetOf = ({ target }: KeyboardEvent) => (target instanceof Element ? target : document.body)

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  const target = targetOf(event)
  for (const { scope, current } of registered.toReversed()) {
    if (!reaches(scope, target)) continue
    const found = current().find(
      ({ keys, isDisabled }) => isDisabled !== true && matches(keys, event, target),
    )
    if (found === undefined) continue
    event.preventDefault()
    found.run(event)
    return
  }
}

function reaches({ within }: ShortcutScope, target: Element): boolean {
  if (within !== undefined) return within.current?.contains(target) ?? false
  return target.closest('[role=dialog], [role=alertdialog]') === null
}

function matches(keys: string, event: KeyboardEvent, target: Element): boolean {
  const combination = combinations.get(keys) ?? parseCombination(keys)
  combinations.set(keys, combination)
  if (!isPressed(combination, event)) return false
  if (!combination.mod && !combination.alt && isTypedInto(target)) return false
  return !isSingleKey(combination) || areSingleKeysOn()
}

/** Whether keys pressed there write something. */
export const isTypedInto = (target: Element): boolean =>
  target.closest('input, textarea, select, [contenteditable=""], [contenteditable=true]') !== null
