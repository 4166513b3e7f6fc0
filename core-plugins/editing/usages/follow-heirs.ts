import {
  type Entry,
  isForGood,
  type StoredChange,
  type StoredEntries,
  type WriteStage,
} from '../../entries/content/content.ts'
import type { NamedIn } from '../../entries/usage-index/usage-index.ts'
import { afterWork, type Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Usage, UsagePlaces } from './usage-places.ts'
import type { ReferringId, UsageStore } from './usage-store.ts'

export interface HeirParts {
  readonly places: UsagePlaces
  readonly schemas: Schemas
  readonly store: UsageStore
  readonly storedEntries: StoredEntries
  /** The rows written earlier in the transaction; the index is updated only at its end. */
  readonly writtenIn: (tx: Transaction) => readonly NamedIn<Usage>[]
}

interface Departed {
  readonly type: string
  readonly id: number
  /** The entry that replaces it; undefined if none does. */
  readonly heir: number | undefined
  readonly principal: Principal
}

type Heirs = ReadonlyMap<number, number | undefined>

/**
 * Redirects ids in components, zones and pending drafts to the entry that replaces a deleted one, as content does for relations
 * with a foreign key.
 */
export function followHeirs(parts: HeirParts): WriteStage {
  const note = afterWork<Departed>(async (departed, tx) => {
    for (const type of new Set(departed.map((each) => each.type))) {
      await moveReferences(
        parts,
        departed.filter((each) => each.type === type),
        tx,
      )
    }
  })
  return {
    name: 'usages: follow heirs',
    matches: ({ type, operation }) => operation === 'delete' && parts.places.leadingTo(type.name).length > 0,
    async run(context, next) {
      const { type, before, principal, tx, additions } = context
      const entry = await next()
      if (before !== undefined && isForGood(context))
        note(tx, { type: type.name, id: before.id, heir: additions.heir, principal })
      return entry
    },
  }
}

async function moveReferences(
  parts: HeirParts,
  departed: readonly Departed[],
  tx: Transaction,
): Promise<void> {
  const [first] = departed
  const heirs = lastHeirs(departed)
  const ids = [...heirs].flatMap(([id, heir]) => (heir === undefined ? [] : [id]))
  if (first === undefined || ids.length === 0) return
  const { type: target, principal } = first
  const written = parts
    .writtenIn(tx)
    .flatMap(({ places, ...entry }) => places.map((usage): ReferringId => ({ ...usage, ...entry })))
    .filter((each) => each.target === target && ids.includes(each.targetId))
  const referring = [...(await parts.store.referringTo({ target, ids }, tx)), ...written]
  for (const name of new Set(referring.map(({ type }) => type))) {
    const type = parts.schemas.types.get(name)
    if (type === undefined) continue
    const found = referring.filter((each) => each.type === name)
    const change = (entry: Entry) => parts.places.moved(type, entry, { target, heirs })
    await repairAll(parts.storedEntries, { type: name, principal, tx }, found, change)
  }
}

/** Many entries are changed with few statements, but entries with drafts one by one. */
async function repairAll(
  storedEntries: StoredEntries,
  request: Parameters<StoredEntries['repairMany']>[0],
  found: readonly ReferringId[],
  change: StoredChange,
): Promise<void> {
  const idsOf = (some: readonly ReferringId[]) => new Set(some.map(({ entryId }) => entryId))
  const drafted = idsOf(found.filter(({ isDraft }) => isDraft))
  const rest = [...idsOf(found)].filter((id) => !drafted.has(id))
  await storedEntries.repairMany(request, rest, change)
  for (const id of [...drafted].sort((one, other) => one - other))
    await storedEntries.repair({ ...request, id }, change)
}

/** Follows chains of heirs, since an heir may be deleted in the same transaction. */
function lastHeirs(departed: readonly Departed[]): Heirs {
  const next: Heirs = new Map(departed.map(({ id, heir }) => [id, heir]))
  const lastOf = (id: number): number | undefined => {
    const seen = new Set([id])
    for (let at = next.get(id); at !== undefined; at = next.get(at)) {
      if (!next.has(at)) return at
      if (seen.has(at)) return undefined
      seen.add(at)
    }
    return undefined
  }
  return new Map([...next.keys()].map((id) => [id, lastOf(id)]))
}
