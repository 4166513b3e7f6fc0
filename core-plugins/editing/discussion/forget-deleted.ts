import { isForGood, type WriteStage } from '../../entries/content/content.ts'
import { untilCommit } from '../../foundation/database/database.ts'
import type { Assignments } from './assignments.ts'
import type { Comments } from './comments.ts'
import type { EntryKey } from './discussion.ts'

/** Deletes comments and assignments along with their entry. */
export function forgetDeleted(comments: Comments, assignments: Assignments): WriteStage {
  const forget = untilCommit<EntryKey>(async (entries, tx) => {
    for (const type of new Set(entries.map((entry) => entry.type))) {
      const ids = entries.filter((entry) => entry.type === type).map(({ id }) => id)
      await comments.removeEntries(type, ids, tx)
      await assignments.removeEntries(type, ids, tx)
    }
  })
  return {
    name: 'discussion: forget deleted entries',
    matches: ({ operation }) => operation === 'delete',
    async run(context, next) {
      const { type, tx } = context
      const entry = await next()
      if (isForGood(context)) forget(tx, { type: type.name, id: entry.id })
      return entry
    },
  }
}
