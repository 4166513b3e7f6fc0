import { setImmediate as otherWork } from 'node:timers/promises'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { EntryCompanion, ItemVersion } from '../../../foundation/sections/sections.ts'
import type { DatedEntry } from './entry-keys.ts'
import { type EntryReader, wholeHash } from './entry-reader.ts'
import type { KeptAt, KeptHash, KeptHashes } from './kept-hashes.ts'
import { keptTypeOf } from './kept-types.ts'

/** Computes the current versions of entries of a type. */
export interface EntryVersions {
  /** The versions in the order of the given entries, without deleted ones. */
  of(known: readonly DatedEntry[], companions: readonly EntryCompanion[]): Promise<readonly ItemVersion[]>
}

export interface EntryVersionsDeps {
  readonly schemas: Schemas
  /** Undefined while the change log is switched off. */
  readonly kept: KeptHashes | undefined
  /** The version of Mortise. */
  readonly version: string
}

/** Bounds the number of large entries in memory. */
const entriesAtOnce = 100

/** Reads only the entries whose hashes have not been kept. */
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
      // On SQLite, awaiting a query does not let other requests run.
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
        // A write that bypassed the log, such as one by hand, has usually changed the time.
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
