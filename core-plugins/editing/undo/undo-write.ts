import { isDeepStrictEqual } from 'node:util'
import type { Entry, WriteContext } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

type FieldValues = Readonly<Record<string, unknown>>

/** What an entry was before a write, as far as the write has changed it. */
export interface Undo {
  /** Its fields, or those of its draft if only that was written. */
  readonly values: FieldValues
  /** Whether only the pending draft was written. */
  readonly isDraftWrite: boolean
  /** The pending draft. */
  readonly draft: FieldValues | null
  /** Absent in types without drafts. */
  readonly publishedAt?: string | null
  /** Until when it was to be public. */
  readonly unpublishAt?: string
}

/** How to undo a write that has just been made; undefined if it has changed nothing. */
export function undoOf(context: WriteContext, after: Entry): Undo | undefined {
  const { before, stored, type, isDraftWrite, outcome } = context
  if (outcome.event === undefined || before === undefined || stored === undefined) return undefined
  const publishedAt = stored.row.published_at as string | null | undefined
  return {
    values: context.operation === 'delete' ? {} : changedValues(type, before, after),
    isDraftWrite,
    draft: stored.draft?.values ?? null,
    ...(publishedAt === undefined ? {} : { publishedAt }),
  }
}

/** The values before, of the fields that are others now. */
function changedValues({ attributes }: ContentType, before: Entry, after: Entry): FieldValues {
  const changed = [...attributes.keys()].filter(
    (name) => Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
