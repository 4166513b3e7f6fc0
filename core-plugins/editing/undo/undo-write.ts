import { isDeepStrictEqual } from 'node:util'
import type { Entry, WriteContext } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

type FieldValues = Readonly<Record<string, unknown>>

/** The state of an entry before a write, as far as the write changed it. */
export interface Undo {
  /** The fields of the entry, or of its draft if only the draft was written. */
  readonly values: FieldValues
  /** Whether only the pending draft was written. */
  readonly isDraftWrite: boolean
  /** The pending draft before the write; null: none. */
  readonly draft: FieldValues | null
  /** Absent in types without drafts. */
  readonly publishedAt?: string | null
  /** The time until which it was to be public. */
  readonly unpublishAt?: string
}

/** The data for undoing a write that was just made; undefined if it changed nothing. */
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

/** The former values of the fields that have changed. */
function changedValues({ attributes }: ContentType, before: Entry, after: Entry): FieldValues {
  const changed = [...attributes.keys()].filter(
    (name) => Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
