import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../entry.ts'
import { namedValues } from './stored-change.ts'
import type { WritableType } from './write-deps.ts'

type Values = Readonly<Record<string, unknown>>

/** A payload as it was sent, and with the links that are hidden from the caller. */
interface Payload {
  readonly sent: Values
  readonly whole: unknown
}

/**
 * The part of a payload that differs from what is stored; undefined if nothing does. A payload with problems is
 * returned as it is: the write reports them.
 */
export function changedIn(
  { model, checker }: WritableType,
  before: Entry,
  { sent, whole }: Payload,
): Values | undefined {
  const checked = checker.forUpdate(whole, before, { isDraft: true })
  if (checked.problems.length > 0) return sent
  const values = namedValues(model, checked)
  const same = new Set(Object.keys(values).filter((name) => isSame(values[name], before[name])))
  if (same.size === Object.keys(values).length) return undefined
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !same.has(name)))
}

/** What the entry had before a component got further attributes is read with them, too. */
function isSame(value: unknown, before: unknown): boolean {
  return value === before || isDeepStrictEqual(value ?? null, before ?? null)
}
