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
  /** It is listed but has no effect now. */
  readonly isDisabled?: boolean
}

export interface ShortcutScope {
  /** The heading in the help: the name of the screen or part. */
  readonly group: string
  /**
   * The element inside which the shortcuts work, such as a grid or a field. Without it they work on the whole page, as long as no
   * dialog is open.
   */
  readonly within?: RefObject<HTMLElement | null>
}

/** The shortcuts of a mounted part of the page. */
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
 * Registers shortcuts while the component is mounted. They are ignored while typing, unless they include Mod or Alt. If several
 * have the same keys, the most recently registered one wins, which is the innermost.
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

/** All registered shortcuts, innermost parts first. */
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

/** A focused button reacts to Enter with any modifiers and would be pressed as well, so the shortcut is handled first. */
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

/** Whether typing into the element enters text. */
export const isTypedInto = (target: Element): boolean =>
  target.closest('input, textarea, select, [contenteditable=""], [contenteditable=true]') !== null
