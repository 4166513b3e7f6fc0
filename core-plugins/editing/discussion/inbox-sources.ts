import type { InboxSource } from '../inbox/inbox.ts'
import type { DiscussionInbox } from './discussion-inbox.ts'

/** Assignments and mentions, for the inboxes of the users concerned. */
export function inboxSourcesOf({ assignedTo, mentionsOf }: DiscussionInbox): readonly InboxSource[] {
  return [
    {
      section: 'assigned',
      async find({ id: userId }, limit, types) {
        const assigned = await assignedTo(userId, { limit, types })
        return assigned.map(({ type, id, role, assignedBy: by, at }) => ({ type, id, role, by, at }))
      },
    },
    {
      section: 'mentioned',
      async find({ id: userId }, limit, types) {
        const mentions = await mentionsOf(userId, { limit, types })
        return mentions.map(({ type, id, mentionId, field, body: comment, author: by, at }) => ({
          ...{ type, id, mentionId, comment, by, at },
          ...(field === null ? {} : { field }),
        }))
      },
    },
  ]
}
