import { Type } from 'typebox'
import { personSchema } from '../../accounts/auth/auth.ts'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { Actor } from './person.ts'

/** A comment on an entry, as the API shows it. */
export const commentSchema = Type.Object(
  {
    id: Type.Integer(),
    body: Type.String(),
    author: personSchema,
    // The id of the comment that this one replies to.
    parent: orNull(Type.Integer()),
    // Null: about the entry as a whole.
    field: orNull(Type.String({ description: 'The path of the field that it is about' })),
    // The admin users whose attention the comment asks for.
    mentions: Type.Array(personSchema),
    resolved: Type.Boolean(),
    resolved_at: orNull(timestampSchema),
    resolved_by: orNull(personSchema),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)

/** A comment on an entry. Times are ISO 8601. */
export interface Comment extends Omit<RecordOf<typeof commentSchema>, 'author' | 'resolved' | 'resolvedBy'> {
  readonly author: Actor
  readonly resolvedBy: Actor | null
}

/** The assignment of an admin user to an entry, as the API shows it. */
export const assignmentSchema = Type.Object(
  {
    id: Type.Integer(),
    userId: Type.Integer(),
    username: Type.String(),
    // Free text: `reviewer`.
    role: Type.String(),
    assigned_by: personSchema,
    created_at: timestampSchema,
  },
  strict,
)

/** The assignment of an admin user to an entry. */
export interface Assignment extends Omit<RecordOf<typeof assignmentSchema>, 'assignedBy'> {
  readonly assignedBy: Actor
}
