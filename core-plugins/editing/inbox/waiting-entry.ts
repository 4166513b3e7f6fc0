import { Type } from 'typebox'
import { personSchema } from '../../accounts/auth/auth.ts'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

const itemSchema = Type.Object(
  {
    // Singular name of the type.
    type: Type.String(),
    id: Type.Integer(),
    title: orNull(Type.String()),
    // Since when.
    at: orNull(timestampSchema),
    by: Type.Optional(personSchema),
    role: Type.Optional(Type.String({ description: 'As what the caller is assigned' })),
    // By which it is dismissed.
    mentionId: Type.Optional(Type.Integer()),
    // The comment that mentions the user.
    comment: Type.Optional(Type.String()),
    field: Type.Optional(Type.String({ description: 'The path of the field that the comment is about' })),
    // The state that the entry is in, and those that the user may move it to.
    state: Type.Optional(Type.String()),
    transitions: Type.Optional(Type.Array(Type.Object({ to: Type.String(), label: Type.String() }, strict))),
  },
  strict,
)

/** What waits for somebody for one reason, as the API shows it. */
export const inboxSectionSchema = Type.Object(
  {
    section: Type.Enum(['assigned', 'mentioned', 'transitions', 'outdated']),
    total: Type.Integer(),
    hasMore: Type.Boolean({ description: 'There are more than were counted' }),
    items: Type.Array(itemSchema),
  },
  strict,
)

/** An entry that waits, as its reader sees it. */
export type InboxItem = RecordOf<typeof itemSchema>

/** An entry that waits for an admin user. */
export type WaitingEntry = Omit<InboxItem, 'title'>

/** What waits for somebody for one reason; `hasMore`: there is more than was looked at. */
export type FilledSection = Omit<RecordOf<typeof inboxSectionSchema>, 'total'>

/** Why something waits for somebody. */
export type InboxSection = FilledSection['section']
