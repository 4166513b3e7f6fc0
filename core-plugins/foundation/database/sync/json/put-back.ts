import type { JsonMember, JsonMembers } from '../../tables/json-shape.ts'
import type { ItemChange } from './conversions.ts'
import { asideName } from './convert-member.ts'
import { keptAs } from './held-value.ts'

/** How values that were set aside return to an attribute that has changed again. */
export interface PutBack {
  readonly change: ItemChange
  /** The values that still do not fit. */
  left(): JsonMembers
}

/**
 * Puts a value back that was set aside, if it fits the attribute's new declaration and no other value was written
 * since.
 */
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
      // The first item of a list may have been written since; the others follow it.
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
