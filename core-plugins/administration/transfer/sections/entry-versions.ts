import { setImmediate as otherWork } from 'node:timers/promises'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { EntryCompanion, ItemVersion } from '../../../foundation/sections/sections.ts'
import type { DatedEntry } from './entry-keys.ts'
import { type EntryReader, wholeHash } from './entry-reader.ts'
import type { KeptAt, KeptHash, KeptHashes } from './kept-hashes.ts'
import { keptTypeOf } from './kept-types.ts'

/** What the entries of a type are at present. */
export interface EntryVersions {
  /** In the order given, without those that are gone. */
  of(known: readonly DatedEntry[], companions: readonly EntryCompanion[]): Promise<readonly ItemVersion[]>
}

export interface EntryVersionsDeps {
  readonly schemas: Schemas
  /** Undefined if nobody tells what has changed. */
  readonly kept: KeptHashes | undefined
  /** Of Mortise. */
  readonly version: string
}

/** So that not many large entries are in memory. */
const entriesAtOnce = 100

/** Reads only those entries whose hashes are not known from before. */
export function entryVersions(
  type: ContentType,
  reader: EntryReader,
  { schemas, kept, version }: EntryVersionsDeps,
): EntryVersions {
  const keptType = kept && keptTypeOf(type, schemas, version)

  async function computed(
    known: readonly DatedEntry[],
    keep: (hashes: readonly KeptHash[]) => Promise<void>,
  ): Promise<ReadonlyMap<number, KeptHash>> {
    const all = new Map<number, KeptHash>()
    for (let start = 0; start < known.length; start += entriesAtOnce) {
      const hashes = await reader.bare(known.slice(start, start + entriesAtOnce))
      for (const [id, hash] of hashes) all.set(id, hash)
      // On SQLite, awaiting a query lets no other request in.
      await otherWork()
    }
    await keep([...all.values()])
    return all
  }

  async function bareHashes(known: readonly DatedEntry[]): Promise<ReadonlyMap<number, KeptHash>> {
    if (kept === undefined || keptType === undefined) return computed(known, async () => undefined)
    const at: KeptAt = await kept.catchUp()
    const found = await at.find(
      keptType,
      known.map(({ id }) => id),
    )
    const right = new Map(
      known.flatMap(({ id, updatedAt }) => {
        const hash = found.get(id)
        // A write that the log does not know, such as one by hand, has mostly set the time.
        return hash === undefined || hash.updatedAt !== updatedAt ? [] : [[id, hash] as const]
      }),
    )
    const missing = known.filter(({ id }) => !right.has(id))
    const added = await computed(missing, (hashes) => at.keep(keptType, hashes))
    return new Map([...right, ...added])
  }

  return {
    async of(known, companions) {
      if (known.length === 0) return []
      const hashes = await bareHashes(known)
      const present = known.filter(({ id }) => hashes.has(id))
      const around = await reader.around(
        present.map(({ id }) => id),
        companions,
      )
      return present.map(({ id, key }) => ({ key, hash: wholeHash(hashes.get(id)?.hash ?? '', around(id)) }))
    },
  }
}
