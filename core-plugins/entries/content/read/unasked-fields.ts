import type { Entry } from '../entry/entry.ts'

/** A copy without some fields, because middleware may keep the entry that it returned. */
export function withoutFields(entry: Entry, names: readonly string[]): Entry {
  if (names.length === 0) return entry
  const copy = { ...entry }
  for (const name of names) delete copy[name]
  return copy
}
