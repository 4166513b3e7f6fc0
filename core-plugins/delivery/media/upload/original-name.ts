/** The file name on the client: only shown, never used as a path. */
export interface OriginalName {
  readonly name: string
  /** In lower case, without the dot; empty if there is none. */
  readonly extension: string
}

const maxLength = 255
const unnamed = 'untitled'

/** Cleans the file name that a client sent: removes folders, control characters and marks that reverse text. */
export function readOriginalName(sent: string | undefined): OriginalName {
  const base = (sent ?? '').split(/[/\\]/).at(-1) ?? ''
  const name = base
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  const extension = extensionOf(name)
  return { name: shorten(name, extension) || unnamed, extension }
}

/** The part after the last dot, unless it is too long for an extension. */
function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Cuts between characters, not within them, and keeps the extension. */
function shorten(name: string, extension: string): string {
  if (name.length <= maxLength) return name
  const ending = extension === '' ? '' : `.${extension}`
  return `${name.slice(0, maxLength - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`
}
