import type { JsonMember, JsonMembers } from '../../tables/json-shape.ts'
import type { ItemChange } from './conversions.ts'
import { asideName } from './convert-member.ts'
import { keptAs } from './held-value.ts'

/** What was set aside of an attribute that becomes something else again. */
export interface PutBack {
  readonly change: ItemChange
  /** What still does not fit. */
  left(): JsonMembers
}

/** Puts a value back that was set aside, where it fits what the attribute becomes and nothing else was written since. */
export function putBack(
  { name, to }: { readonly name: string; readonly to: JsonMember },
  [key, aside]: readonly [string, JsonMember],
): PutBack {
  const fitting = compileFitting(name, to, [key, aside])
  let isLeft = false
  return {
    change(item) {
      const kept = Object.hasOwn(item, key) ? (fitting(item[key]) ?? null) : undefined
      if (kept === undefined) return
      const value = item[name] ?? null
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
      // What is first in a list may have been written since; the others follow it.
      if (isEmpty && kept !== null) item[name] = kept
      else if (Array.isArray(value) && Array.isArray(kept)) item[name] = [...value, ...kept.slice(1)]
      else {
        isLeft = true
        return
      }
      delete item[key]
    },
    left: () => (isLeft ? { [key]: aside } : {}),
  }
}

function compileFitting(
  name: string,
  to: JsonMember,
  [key, aside]: readonly [string, JsonMember],
): (value: unknown) => unknown {
  if (key === asideName(name, to)) return (value) => value
  if (to.is !== 'value' || aside.is !== 'value') return () => null
  return (value) => keptAs(to.kind, value, aside.kind)
}
