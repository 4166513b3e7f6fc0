import { createHash } from 'node:crypto'

/** A JSON object. */
export type Value = Readonly<Record<string, unknown>>

/** The same text for equal values, even if a database reorders their members. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`)
  return `{${members.join(',')}}`
}

/** A hash of 43 characters. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('base64url')
}

/** The names of members whose values differ; missing and empty members count as equal. */
export function differingMembers(left: Value, right: Value): string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => canonicalText(orNull(left[name])) !== canonicalText(orNull(right[name])))
}

/** Members that were never set equal those that have been emptied. */
function orNull(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? null : (value ?? null)
}

/** Orders keys as all databases do: by code point, which is also the order of their UTF-8 bytes. */
export function compareKeys(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
