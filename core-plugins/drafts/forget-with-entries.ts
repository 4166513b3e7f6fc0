import { isForGood, type PendingDrafts, type WriteStage } from '../content/content.ts'
import { untilCommit } from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'

interface Gone {
  readonly type: ContentType
  readonly id: number
}

/**
 * Deletes the drafts of deleted entries; soft-deleted ones keep theirs. A new entry also clears a draft left
 * by an earlier entry with the same id that was deleted while this plugin was off.
 */
export function forgetWithEntries(drafts: PendingDrafts): WriteStage {
  const forget = untilCommit<Gone>(async (gone, tx) => {
    for (const [type, ids] of idsByType(gone)) await drafts.remove(type, ids, tx)
  })
  return {
    name: 'drafts: forget with entries',
    matches: ({ type, operation }) =>
      drafts.matches(type) && (operation === 'create' || operation === 'delete'),
    async run(context, next) {
      const { type, operation, tx } = context
      const entry = await next()
      if (operation === 'create' || isForGood(context)) forget(tx, { type, id: entry.id })
      return entry
    },
  }
}

function idsByType(gone: readonly Gone[]): Map<ContentType, number[]> {
  const byType = new Map<ContentType, number[]>()
  for (const { type, id } of gone) byType.set(type, [...(byType.get(type) ?? []), id])
  return byType
}
