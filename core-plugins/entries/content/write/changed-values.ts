import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../entry/entry.ts'
import { namedValues } from './stored-change.ts'
import type { WritableType } from './write-deps.ts'

type Values = Readonly<Record<string, unknown>>

/** An entry as it is stored, and the payload with the links of it that are hidden from the caller. */
interface Compared {
  readonly before: Entry
  readonly whole: unknown
}

/**
 * The part of a payload that differs from what is stored, from each of several forms of it; undefined if nothing does. A payload
 * with problems is returned as it is: the write reports them.
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

/** What the entry had before a component got further attributes is read with them, too. */
export function isSame(value: unknown, before: unknown): boolean {
  return value === before || isDeepStrictEqual(value ?? null, before ?? null)
}
