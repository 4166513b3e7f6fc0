import type { Entry } from '../../content/entry/store/entry-store.ts'

/** The preview URL of an entry, or why there is none. */
export type PreviewAddress =
  | { readonly kind: 'known'; readonly url: string; readonly origin: string }
  /** The type has no preview for unsaved entries. */
  | { readonly kind: 'unsaved' }
  /** Fields used in the URL are empty. */
  | { readonly kind: 'incomplete'; readonly fields: readonly string[] }
  /** The settings allow no previews, or none of this origin. */
  | { readonly kind: 'refused'; readonly origin: string | undefined }

export interface AddressParts {
  /**
   * The type's URL template: `https://www.example.com/articles/{slug}`, or `/articles/{slug}` relative to the first allowed
   * origin.
   */
  readonly template: string
  readonly entry: Entry
  /** The allowed origins. */
  readonly origins: readonly string[]
}

const hole = /\{([\w-]+)\}/g

/** This placeholder is filled in later: the token changes while the URL stays the same. */
const tokenHole = 'token'

/** Fills the entry's values into the URL template; `withToken` fills in the token. */
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

/** Whether a URL from `previewAddress` needs a token. */
export const hasTokenHole = (url: string): boolean => url.includes(`{${tokenHole}}`)

export const withToken = (url: string, token: string) =>
  url.replaceAll(`{${tokenHole}}`, encodeURIComponent(token))

/** The name of the query parameter with the token; '' if the token is elsewhere or absent. */
export function tokenParameter(url: string): string {
  const parameters = [...new URL(url).searchParams]
  return parameters.find(([, value]) => value === `{${tokenHole}}`)?.[0] ?? ''
}

/** Encodes a value as a path segment; undefined for dots alone, which would change the path. */
function segmentOf(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number'
  const text = isPlain ? encodeURIComponent(value) : ''
  return /^\.{0,2}$/.test(text) ? undefined : text
}

interface PreviewedType {
  readonly pluginOptions: Readonly<Record<string, unknown>>
}

/** The preview URL template of a type; `newUrl` for unsaved entries. */
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
