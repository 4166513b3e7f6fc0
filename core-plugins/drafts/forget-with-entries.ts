import type { PendingDrafts, WriteStage } from '../content/content.ts'
import { untilCommit } from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'

interface Gone {
  readonly type: ContentType
  readonly id: number
}

/**
 * Forgets the drafts of deleted entries; a soft-deleted one keeps its own. A new entry forgets what one with the same
 * id has left, which was deleted while this plugin was off.
 */
export function forgetWithEntries(drafts: PendingDrafts): WriteStage {
  const forget = untilCommit<Gone>(async (gone, tx) => {
    for (const [type, ids] of idsByType(gone)) await drafts.remove(type, ids, tx)
  })
  return {
    name: 'drafts: forget with entries',
    matches: ({ type, operation }) =>
      drafts.matches(type) && (operation === 'create' || operation === 'delete'),
    async run({ type, operation, tx, isForGood }, next) {
      const entry = await next()
      if (operation === 'create' || isForGood) forget(tx, { type, id: entry.id })
      return entry
    },
  }
}

function idsByType(gone: readonly Gone[]): Map<ContentType, number[]> {
  const byType = new Map<ContentType, number[]>()
  for (const { type, id } of gone) byType.set(type, [...(byType.get(type) ?? []), id])
  return byType
}
