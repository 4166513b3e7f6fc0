/** What is kept under a key, made when it is asked for first. */
export function keep<Key, Value>(kept: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = kept.get(key)
  if (present !== undefined || kept.has(key)) return present as Value
  const made = make()
  kept.set(key, made)
  return made
}
