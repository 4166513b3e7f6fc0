import { createHash } from 'node:crypto'

/** A JSON object. */
export type Value = Readonly<Record<string, unknown>>

/** The same text for values that mean the same, however a database orders their members. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`)
  return `{${members.join(',')}}`
}

/** 43 characters. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('base64url')
}

/** The members in which two values differ, without those that are the same and those that are empty in both. */
export function differingMembers(left: Value, right: Value): string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => canonicalText(orNull(left[name])) !== canonicalText(orNull(right[name])))
}

/** What has never been set and what has been emptied are the same. */
function orNull(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? null : (value ?? null)
}

/** Orders keys as all databases do: by code point, which is the order of their bytes in UTF-8. */
export function compareKeys(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
