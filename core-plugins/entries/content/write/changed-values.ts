import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../entry/entry.ts'
import { namedValues } from './stored-change.ts'
import type { WritableType } from './write-deps.ts'

type Values = Readonly<Record<string, unknown>>

/** A stored form of an entry, and the payload completed with the entry's links that are hidden from the caller. */
interface Compared {
  readonly before: Entry
  readonly whole: unknown
}

/**
 * The fields of a payload that differ from every given stored form of the entry; undefined if there are none. A payload with
 * problems is returned unchanged, so that the write reports them.
 */
export function changedIn(
  { model, checker }: WritableType,
  sent: Values,
  forms: readonly Compared[],
): Values | undefined {
  const names = new Set<string>()
  const same = new Set<string>()
  for (const { before, whole } of forms) {
    const checked = checker.forUpdate(whole, before, { isDraft: true })
    if (checked.problems.length > 0) return sent
    for (const [name, value] of Object.entries(namedValues(model, checked))) {
      names.add(name)
      if (isSame(value, before[name])) same.add(name)
    }
  }
  if (same.size === names.size) return undefined
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !same.has(name)))
}

/** Stored values are already completed by reads, even if a component got further attributes since, so they can be compared. */
export function isSame(value: unknown, before: unknown): boolean {
  return value === before || isDeepStrictEqual(value ?? null, before ?? null)
}
