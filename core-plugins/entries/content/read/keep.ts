/** Returns the value kept under a key; creates it on first use. */
export function keep<Key, Value>(kept: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = kept.get(key)
  if (present !== undefined || kept.has(key)) return present as Value
  const made = make()
  kept.set(key, made)
  return made
}
