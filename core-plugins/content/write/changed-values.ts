import { isDeepStrictEqual } from 'node:util'
import type { StoredEntry } from '../write-context.ts'
import { namedValues } from './stored-change.ts'
import { latestOf } from './stored-entries.ts'
import type { WritableType } from './write-deps.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The part of a payload that differs from what is stored; undefined if nothing does. A payload with problems is
 * returned as it is: the write reports them.
 */
export function changedIn(type: WritableType, stored: StoredEntry, data: Values): Values | undefined {
  const before = latestOf(type, stored)
  const checked = type.checker.forUpdate(data, before, { isDraft: true })
  if (checked.problems.length > 0) return data
  const values = namedValues(type.model, checked)
  const same = new Set(Object.keys(values).filter((name) => isSame(values[name], before[name])))
  if (same.size === Object.keys(values).length) return undefined
  return Object.fromEntries(Object.entries(data).filter(([name]) => !same.has(name)))
}

/** What the entry had before a component got further attributes is read with them, too. */
function isSame(value: unknown, before: unknown): boolean {
  return value === before || isDeepStrictEqual(value ?? null, before ?? null)
}
