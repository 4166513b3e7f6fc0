import type { WriteStage } from '../content/content.ts'
import { untilCommit } from '../database/database.ts'
import { keyOf, type Usage, type UsagePlaces } from './usage-places.ts'
import type { EntryUsages, UsageStore } from './usage-store.ts'

/** Updates the index in the transaction of every write; an entry in the trash uses nothing. */
export function indexUsages(places: UsagePlaces, store: UsageStore): WriteStage {
  const note = untilCommit<EntryUsages>((all, tx) => store.replace(all, tx))
  return {
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
}

function keysOf(usages: readonly Usage[]): string {
  return usages.map(keyOf).join()
}
