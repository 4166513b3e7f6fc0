import type { Entry } from '../../content/entry/store/entry-store.ts'

/** Where the page of an entry is, or why it is nowhere. */
export type PreviewAddress =
  | { readonly kind: 'known'; readonly url: string; readonly origin: string }
  /** The type names none for entries that nobody has saved. */
  | { readonly kind: 'unsaved' }
  /** The fields that the address names are empty. */
  | { readonly kind: 'incomplete'; readonly fields: readonly string[] }
  /** No page may be shown, or not those of this origin. */
  | { readonly kind: 'refused'; readonly origin: string | undefined }

export interface AddressParts {
  /** Of the type: `https://www.example.com/articles/{slug}`, or `/articles/{slug}` at the first of the origins. */
  readonly template: string
  readonly entry: Entry
  /** Those that may be shown. */
  readonly origins: readonly string[]
}

const hole = /\{([\w-]+)\}/g

/** Stays a hole: what is in it changes while the address remains the same. */
const tokenHole = 'token'

/** Fills an entry into the address of its page; `withToken` fills in the rest. */
export function previewAddress({ template, entry, origins }: AddressParts): PreviewAddress {
  const names = [...template.matchAll(hole)].flatMap(([, name = '']) => (name === tokenHole ? [] : [name]))
  const fields = names.filter((name) => segmentOf(entry[name]) === undefined)
  if (fields.length > 0) return { kind: 'incomplete', fields: [...new Set(fields)] }
  const [first = ''] = origins
  const filled = (template.startsWith('/') ? first + template : template).replace(hole, (whole, name) =>
    name === tokenHole ? whole : (segmentOf(entry[name]) ?? ''),
  )
  const origin = URL.canParse(filled) ? new URL(filled).origin : undefined
  if (origin === undefined || !origins.includes(origin)) return { kind: 'refused', origin }
  return { kind: 'known', url: filled, origin }
}

/** Of an address that previewAddress has filled. */
export const hasTokenHole = (url: string): boolean => url.includes(`{${tokenHole}}`)

export const withToken = (url: string, token: string) =>
  url.replaceAll(`{${tokenHole}}`, encodeURIComponent(token))

/** Of the query, where that has the token; empty if it is elsewhere in the address, or nowhere. */
export function tokenParameter(url: string): string {
  const parameters = [...new URL(url).searchParams]
  return parameters.find(([, value]) => value === `{${tokenHole}}`)?.[0] ?? ''
}

/** A value as a part of an address; dots alone would lead to another path. */
function segmentOf(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number'
  const text = isPlain ? encodeURIComponent(value) : ''
  return /^\.{0,2}$/.test(text) ? undefined : text
}

interface PreviewedType {
  readonly pluginOptions: Readonly<Record<string, unknown>>
}

/** The address that a type names for its previews; `newUrl` for entries before their first save. */
export function previewTemplate(
  { pluginOptions }: PreviewedType,
  option: 'url' | 'newUrl' = 'url',
): string | undefined {
  const { preview } = (pluginOptions.panel ?? {}) as {
    readonly preview?: Readonly<Record<string, unknown>> | null
  }
  const template = preview?.[option]
  return typeof template === 'string' && template !== '' ? template : undefined
}
