import type { WriteStage } from '../../entries/content/content.ts'
import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import { keyOf, type Usage, type UsagePlaces } from './usage-places.ts'
import type { EntryUsages, ReferringId, UsageStore } from './usage-store.ts'

export interface UsageIndexing {
  /** Updates the index in the transaction of every write; an entry in the trash uses nothing. */
  readonly stage: WriteStage
  /** What was written so far in a transaction, at whose end the index learns of it. */
  writtenIn(tx: Transaction): readonly ReferringId[]
}

export function createUsageIndexing(places: UsagePlaces, store: UsageStore): UsageIndexing {
  const written = new WeakMap<Transaction, EntryUsages[]>()
  const write = untilCommit<EntryUsages>((all, tx) => store.replace(all, tx))
  const note = (tx: Transaction, usages: EntryUsages) => {
    const known = written.get(tx)
    if (known === undefined) written.set(tx, [usages])
    else known.push(usages)
    write(tx, usages)
  }
  const stage: WriteStage = {
    name: 'usages: index',
    matches: ({ type, operation }) => operation !== 'unpublish' && places.types.has(type),
    async run(context, next) {
      const { type, operation, stored, tx } = context
      const isKnown = stored !== undefined && operation !== 'restore'
      const previous = isKnown ? places.of(type, stored.row, stored.draft) : []
      const entry = await next()
      const row = context.isDraftWrite && stored !== undefined ? stored.row : entry
      const usages = operation === 'delete' ? [] : places.of(type, row, context.outcome.draft)
      if (keysOf(usages) !== keysOf(previous)) note(tx, { type: type.name, entryId: entry.id, usages })
      return entry
    },
  }
  return {
    stage,
    writtenIn: (tx) =>
      (written.get(tx) ?? []).flatMap(({ type, entryId, usages }) =>
        usages.map((usage) => ({ ...usage, type, entryId })),
      ),
  }
}

function keysOf(usages: readonly Usage[]): string {
  return usages.map(keyOf).join()
}
