import type { CheckedPayload } from '../../payload/payload.ts'
import { type WriteAnnotation, writeAnnotation } from '../../write-annotation.ts'

/**
 * For an update that links an entry: the linked id. Other ids in the same field were checked when they were
 * added.
 */
export const linkedId: WriteAnnotation<number> = writeAnnotation('content.linked-id')

/**
 * Checks only the new id: entries linked earlier may be hidden from the caller, who must not be refused for
 * them.
 */
export function onlyLinked(linked: number, change: CheckedPayload): CheckedPayload {
  const references = [...change.references].map(
    ([type, items]) => [type, items.filter(({ id }) => id === linked)] as const,
  )
  return { ...change, references: new Map(references) }
}
