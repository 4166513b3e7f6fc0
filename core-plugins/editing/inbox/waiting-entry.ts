import { Type } from 'typebox'
import { personSchema } from '../../accounts/auth/auth.ts'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

const itemSchema = Type.Object(
  {
    // Singular name of the type.
    type: Type.String(),
    id: Type.Integer(),
    title: orNull(Type.String()),
    // Since when it has been waiting.
    at: orNull(timestampSchema),
    by: Type.Optional(personSchema),
    role: Type.Optional(Type.String({ description: 'As what the caller is assigned' })),
    // The id with which the mention can be dismissed.
    mentionId: Type.Optional(Type.Integer()),
    // The comment that mentions the user.
    comment: Type.Optional(Type.String()),
    field: Type.Optional(Type.String({ description: 'The path of the field that the comment is about' })),
    // The current state of the entry, and the transitions that the user may take.
    state: Type.Optional(Type.String()),
    transitions: Type.Optional(Type.Array(Type.Object({ to: Type.String(), label: Type.String() }, strict))),
  },
  strict,
)

/** The items that wait for a user for one reason, as the API shows them. */
export const inboxSectionSchema = Type.Object(
  {
    section: Type.Enum(['assigned', 'mentioned', 'transitions', 'outdated']),
    total: Type.Integer(),
    hasMore: Type.Boolean({ description: 'There are more than were counted' }),
    items: Type.Array(itemSchema),
  },
  strict,
)

/** A waiting entry, as the user sees it. */
export type InboxItem = RecordOf<typeof itemSchema>

/** An entry that waits for an admin user. */
export type WaitingEntry = Omit<InboxItem, 'title'>

/** The items that wait for a user for one reason; `hasMore`: not all could be looked at. */
export type FilledSection = Omit<RecordOf<typeof inboxSectionSchema>, 'total'>

/** The reason why an item waits for a user. */
export type InboxSection = FilledSection['section']
