import { isObject, isSameValue } from '../../schema/same-value.ts'
import type { ReferencesChange } from './change.ts'

/** The ids in the value of a relation or media field, populated or not, one or many. */
export function idsIn(value: unknown): number[] {
  const items = Array.isArray(value) ? value : [value]
  return items.map((item) => Number(isObject(item) ? item.id : (item ?? 0))).filter((id) => id > 0)
}

/** The references that were added and removed. */
export function diffReferences(
  before: unknown,
  after: unknown,
  target: string | undefined,
): ReferencesChange | undefined {
  const [left, right] = [idsIn(before), idsIn(after)]
  if (isSameValue(left, right)) return undefined
  const [wasThere, isThere] = [new Set(left), new Set(right)]
  const keptBefore = left.filter((id) => isThere.has(id))
  const keptAfter = right.filter((id) => wasThere.has(id))
  return {
    kind: 'references',
    target,
    added: right.filter((id) => !wasThere.has(id)),
    removed: left.filter((id) => !isThere.has(id)),
    isReordered: !isSameValue(keptBefore, keptAfter),
  }
}
