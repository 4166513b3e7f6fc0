import { groupBy } from '../../../kernel/index.ts'
import type { PendingDrafts, WriteStage } from '../../entries/content/content.ts'
import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

interface Written {
  readonly type: ContentType
  readonly id: number
}

/** A new entry clears the draft of an earlier one with the same id that was deleted while this plugin was off. */
export function forgetLeftovers(drafts: PendingDrafts): WriteStage {
  /** Entries that got a draft in the transaction that created them; those drafts are kept. */
  const drafted = new WeakMap<Transaction, Set<string>>()
  const forget = untilCommit<Written>(async (made, tx) => {
    const left = made.filter((each) => drafted.get(tx)?.has(keyOf(each)) !== true)
    for (const [type, some] of groupBy(left, (each) => each.type)) {
      const ids = some.map(({ id }) => id)
      await drafts.remove(type, ids, tx)
    }
  })
  function noteDraft(entry: Written, tx: Transaction): void {
    const ofTransaction = drafted.get(tx) ?? new Set()
    drafted.set(tx, ofTransaction.add(keyOf(entry)))
  }
  return {
    name: 'drafts: forget leftovers',
    matches: ({ type, operation }) => drafts.matches(type) && ['create', 'update'].includes(operation),
    async run(context, next) {
      const { type, operation, isDraftWrite, tx } = context
      const entry = await next()
      const own = { type, id: entry.id }
      if (operation === 'create') forget(tx, own)
      else if (isDraftWrite) noteDraft(own, tx)
      return entry
    },
  }
}

const keyOf = ({ type, id }: Written) => `${type.name} ${id}`
