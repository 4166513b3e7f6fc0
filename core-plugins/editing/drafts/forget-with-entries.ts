import { isForGood, type PendingDrafts, type WriteStage } from '../../entries/content/content.ts'
import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

interface Gone {
  readonly type: ContentType
  readonly id: number
}

/**
 * Deletes the drafts of deleted entries; soft-deleted ones keep theirs. A new entry also clears a draft left
 * by an earlier entry with the same id that was deleted while this plugin was off.
 */
export function forgetWithEntries(drafts: PendingDrafts): WriteStage {
  /** Entries that got a draft in a transaction after they were made in it: that draft is theirs. */
  const drafted = new WeakMap<Transaction, Set<string>>()
  const forget = untilCommit<Gone>(async (gone, tx) => {
    const left = gone.filter((each) => drafted.get(tx)?.has(keyOf(each)) !== true)
    for (const [type, ids] of idsByType(left)) await drafts.remove(type, ids, tx)
  })

  function note(gone: Gone, isDrafted: boolean, tx: Transaction): void {
    const ofTransaction = drafted.get(tx) ?? new Set()
    drafted.set(tx, ofTransaction)
    if (isDrafted) ofTransaction.add(keyOf(gone))
    else ofTransaction.delete(keyOf(gone))
  }
  return {
    name: 'drafts: forget with entries',
    matches: ({ type, operation }) =>
      drafts.matches(type) && ['create', 'update', 'delete'].includes(operation),
    async run(context, next) {
      const { type, operation, tx } = context
      const entry = await next()
      const own = { type, id: entry.id }
      if (operation === 'update') note(own, context.isDraftWrite, tx)
      if (operation !== 'create' && !isForGood(context)) return entry
      note(own, false, tx)
      forget(tx, own)
      return entry
    },
  }
}

const keyOf = ({ type, id }: Gone) => `${type.name} ${id}`

function idsByType(gone: readonly Gone[]): Map<ContentType, number[]> {
  const byType = new Map<ContentType, number[]>()
  for (const { type, id } of gone) byType.set(type, [...(byType.get(type) ?? []), id])
  return byType
}
