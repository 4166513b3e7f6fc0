/** A file's name as its owner knows it: shown, never used as a path. */
export interface OriginalName {
  readonly name: string
  /** In lower case, without the dot; empty where the name has none. */
  readonly extension: string
}

const maxLength = 255
const unnamed = 'untitled'

/** Cleans what a client calls its file: without folders, control characters and what makes text read backwards. */
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

/** What follows the last dot, if it is no longer than extensions are. */
function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** By whole characters, and so that the extension stays. */
function shorten(name: string, extension: string): string {
  if (name.length <= maxLength) return name
  const ending = extension === '' ? '' : `.${extension}`
  return `${name.slice(0, maxLength - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`
}
