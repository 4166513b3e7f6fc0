/** A key with its modifiers. */
export interface Combination {
  /** As in `KeyboardEvent.key`, letters in lower case. */
  readonly key: string
  /** ⌘ on Macs, Ctrl elsewhere. */
  readonly mod: boolean
  readonly alt: boolean
  /** Undefined for characters such as `?`, which need Shift on some keyboards. */
  readonly shift: boolean | undefined
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/** Parses `Mod+Shift+k`, `Alt+ArrowUp`, `?`. @throws Error for an unknown modifier */
export function parseCombination(keys: string): Combination {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  const unknown = parts.find((part) => !['Mod', 'Alt', 'Shift'].includes(part))
  if (key === '' || unknown !== undefined) throw new Error(`${keys} is no combination such as Mod+Shift+k`)
  const isCharacter = key.length === 1 && !/[a-z0-9]/i.test(key)
  return {
    key: key.length === 1 ? key.toLowerCase() : key,
    mod: parts.includes('Mod'),
    alt: parts.includes('Alt'),
    shift: isCharacter ? undefined : parts.includes('Shift'),
  }
}

/** Whether an event matches a combination. With Alt, Macs produce other characters, so the physical key is compared. */
export function isPressed({ key, mod, alt, shift }: Combination, event: PressedKey): boolean {
  const modifier = isMac ? event.metaKey : event.ctrlKey
  const other = isMac ? event.ctrlKey : event.metaKey
  const isAltGraph = shift === undefined && event.ctrlKey && event.altKey
  if (isAltGraph) return event.key === key && !mod
  if (modifier !== mod || other || event.altKey !== alt) return false
  if (shift !== undefined && event.shiftKey !== shift) return false
  return event.key.toLowerCase() === key.toLowerCase() || (alt && event.code === `Key${key.toUpperCase()}`)
}

/** Whether it is a single key that would type a character. */
export const isSingleKey = ({ key, mod, alt }: Combination) => !mod && !alt && key.length === 1

const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' }
const otherNames: Readonly<Record<string, string>> = { Mod: 'Ctrl' }
const keyNames: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  Backspace: '⌫',
  ' ': '␣',
}

/** The labels of the keys: `['Ctrl', 'K']` for `Mod+k`. */
export function keyLabels(keys: string): string[] {
  const modifierNames = isMac ? macNames : otherNames
  return keys.split('+').map((part) => {
    if (part.length === 1) return keyNames[part] ?? part.toUpperCase()
    return modifierNames[part] ?? keyNames[part] ?? part
  })
}

/** The combination in the format of `aria-keyshortcuts`: `Control+K`. */
export const ariaKeys = (keys: string) => keys.replace('Mod', isMac ? 'Meta' : 'Control')
