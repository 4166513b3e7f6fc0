import { parseExactly } from '../../schema/json-numbers.ts'

/**
 * The value of a JSON text, null for an empty text; undefined if it is not JSON or contains numbers that would lose precision.
 */
export function readJson(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: null }
  try {
    return { value: parseExactly(text) }
  } catch {
    return undefined
  }
}

export const writeJson = (value: unknown): string =>
  (value ?? null) === null ? '' : JSON.stringify(value, null, 2)
