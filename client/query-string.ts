/** Values in a query string: nested objects and arrays in brackets. */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [name: string]: QueryValue }

/**
 * A query as the service reads it, of any depth: `?limit=2&filters[title][$eq]=x`, or an empty string. Omits undefined values. For
 * generated clients as well, which take a serialiser of one's own.
 */
export function queryString(values: object): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => pairsOf(name, value))
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return []
  if (value === null || typeof value !== 'object') return [[name, String(value)]]
  const entries = Object.entries(value)
  return entries.flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner))
}
