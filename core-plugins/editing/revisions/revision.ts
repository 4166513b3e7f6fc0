import { type Static, Type } from 'typebox'
import { personSchema } from '../../accounts/auth/auth.ts'
import { orNull, presenterOf, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

/**
 * The kind of write that created a revision. `restore` restored an older revision, `undelete` a soft-deleted
 * entry; `repair` is the service itself removing stale references. A `baseline` is the state found by the
 * first recorded write, or by the first one after a time without this plugin. `draft` and `discard` are
 * writes of the pending draft: the entry as readers of drafts saw it.
 */
export type RevisionAction =
  | 'create'
  | 'update'
  | 'publish'
  | 'unpublish'
  | 'delete'
  | 'undelete'
  | 'restore'
  | 'repair'
  | 'baseline'
  | 'draft'
  | 'discard'

const values = Type.Record(Type.String(), Type.Unknown())
const summary = {
  id: Type.Integer(),
  // Counts the writes of the entry, starting at 1.
  version: Type.Integer(),
  action: Type.Unsafe<RevisionAction>(Type.String()),
  // Null for writes by the service itself, and for callers without credentials.
  author: orNull(
    Type.Object(
      { kind: Type.Unsafe<'admin' | 'user' | 'token'>(Type.String()), ...personSchema.properties },
      strict,
    ),
  ),
  created_at: timestampSchema,
}
const summarySchema = Type.Object(summary, strict)

/** A revision as the API shows it; `data` is the entry without `id`, `created_at` and `updated_at`. */
export const revisionSchema = Type.Object({ ...summary, data: values }, strict)

/** The same in lists, which may leave out the data. */
export const listedRevisionSchema = Type.Object({ ...summary, data: Type.Optional(values) }, strict)

/** The differences between two revisions. */
export const revisionDiffSchema = Type.Object(
  {
    from: summarySchema,
    to: summarySchema,
    fields: Type.Array(
      Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }, strict),
    ),
  },
  strict,
)

/** An entry as one write left it; `version` counts its writes, starting at 1. */
export type Revision = RecordOf<typeof revisionSchema>

/** The author of a revision; for a token, `username` is its name. */
export type RevisionAuthor = NonNullable<Revision['author']>

export type ShownRevision = Static<typeof revisionSchema>
export type ListedRevision = Static<typeof listedRevisionSchema>
export type RevisionDiff = Static<typeof revisionDiffSchema>

export const presentRevision = presenterOf(revisionSchema)

/** A revision without its data. */
export const summaryOf = presenterOf(summarySchema)
