type JsonObject = Readonly<Record<string, unknown>>

/** Whether two JSON values are equal: the order of keys does not matter, and a missing member equals null. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (isAbsent(left) || isAbsent(right)) return isAbsent(left) && isAbsent(right)
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => isSameValue(item, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every((name) => isSameValue(left[name], right[name]))
}

const isAbsent = (value: unknown) => value === undefined || value === null

/** Anything with members, arrays excepted. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Indented, with the keys in order, so that two texts differ where the values do. */
export function jsonText(value: unknown): string {
  return isAbsent(value) ? '' : JSON.stringify(withSortedKeys(value), null, 2)
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, withSortedKeys(value[name])]))
}
