import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import type { Entry, StoredEntries, WriteContext, WriteStage } from '../content/content.ts'
import { namesSome, takeOut } from './take-out.ts'
import type { NamedIn, UsageKind } from './usage-kind.ts'
import type { UsageRows, Written } from './usage-rows.ts'

export interface UsageIndexing<Place> {
  /** Updates the index in the transaction of every write; entries in the trash have no rows. */
  readonly stage: WriteStage
  /** What the transaction has written so far; the index is updated at the end of the transaction. */
  writtenIn(tx: Transaction): readonly NamedIn<Place>[]
}

export function indexWrites<Place>(
  kind: UsageKind<Place>,
  rows: UsageRows<Place>,
  storedEntries: StoredEntries,
): UsageIndexing<Place> {
  const written = new WeakMap<Transaction, Written<Place>[]>()
  const write = untilCommit<Written<Place>>((all, tx) => rows.replace(all, tx))
  function note(tx: Transaction, entry: Written<Place>): void {
    const known = written.get(tx)
    if (known === undefined) written.set(tx, [entry])
    else known.push(entry)
    write(tx, entry)
  }
  const keysOf = (places: readonly Place[]) => places.map(kind.keyOf).join()

  const stage: WriteStage = {
    name: `${kind.name}: index usages`,
    matches: ({ type, operation }) => operation !== 'unpublish' && kind.fieldsOf(type).length > 0,
    async run(context, next) {
      const { type, operation, stored, tx } = context
      const isIndexed = stored !== undefined && operation !== 'restore'
      const previous = isIndexed ? kind.placesIn(type, stored.row, stored.draft) : []
      const entry = await next()
      const row = context.isDraftWrite && stored !== undefined ? stored.row : entry
      const places = operation === 'delete' ? [] : kind.placesIn(type, row, context.outcome.draft)
      if (keysOf(places) !== keysOf(previous)) {
        note(tx, { type: type.name, entryId: entry.id, places, isKnown: previous.length > 0 })
      }
      return operation === 'restore' ? mended(context, entry, places) : entry
    },
  }

  /** Things that an entry refers to may have been deleted while it was in the trash; this removes such references. */
  async function mended(context: WriteContext, entry: Entry, places: readonly Place[]): Promise<Entry> {
    const { type, tx } = context
    const gone = await kind.vanished?.among(places, tx)
    if (kind.vanished === undefined || gone === undefined || gone.size === 0) return entry
    const left = places.filter((place) => !namesSome(kind, place, gone))
    note(tx, { type: type.name, entryId: entry.id, places: left, isKnown: false })
    await takeOut(kind.vanished, storedEntries, { ...context, id: entry.id, gone })
    return { ...entry, ...kind.vanished.without(type, entry, gone) }
  }

  return { stage, writtenIn: (tx) => written.get(tx) ?? [] }
}
