import { Type } from 'typebox'
import { defineJob, type JobKind } from '../../../background/jobs/jobs.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { type Media, variantKey } from '../../media/media.ts'
import { maxBytes } from '../settings.ts'
import type { VariantRow, VariantStore } from './variant-store.ts'

/** Of the room, what is left when some had to be made: so that the next image does not ask for it again. */
const share = 0.9

export interface RemovalDeps {
  readonly config: Config
  readonly media: Pick<Media, 'storage'>
  readonly store: VariantStore
}

export interface RemovalJobs {
  /** Removes what has been made of files. */
  readonly ofFiles: JobKind<{ files: string[] }>
  /** Removes what is too much, what was never completed, and what is left of files that are gone. */
  readonly tidy: JobKind<object>
}

/** Times at which `tidy` runs in any case. */
export const tidyTimes = '*/10 * * * *'

export function createRemovalJobs({ config, media, store }: RemovalDeps): RemovalJobs {
  /** From the storage first: what is listed twice over is found again, what is not listed never is. */
  async function remove(variant: VariantRow): Promise<void> {
    await media.storage.delete(variantKey(variant.file, variant.ops))
    await store.forget(variant)
  }

  async function removeAll(some: () => Promise<VariantRow[]>, signal: AbortSignal): Promise<number> {
    for (let count = 0; ; ) {
      const variants = await some()
      if (variants.length === 0) return count
      for (const variant of variants) {
        signal.throwIfAborted()
        await remove(variant)
        count++
      }
    }
  }

  async function makeRoom(signal: AbortSignal): Promise<number> {
    let used = await store.bytes()
    if (used <= config.get(maxBytes)) return 0
    for (let count = 0; ; ) {
      const variants = await store.leastUsed()
      for (const variant of variants) {
        if (used <= config.get(maxBytes) * share) return count
        signal.throwIfAborted()
        await remove(variant)
        used -= variant.bytes
        count++
      }
      if (variants.length === 0) return count
    }
  }

  return {
    ofFiles: defineJob({
      name: 'images.remove',
      payload: Type.Object({ files: Type.Array(Type.String()) }),
      maxAttempts: 100,
      run: async ({ files }, { signal }) => ({
        removed: await removeAll(() => store.ofFiles(files), signal),
      }),
    }),
    tidy: defineJob({
      name: 'images.tidy',
      payload: Type.Object({}),
      async run(_, { signal }) {
        const abandoned = await removeAll(store.abandoned, signal)
        const orphans = await removeAll(store.orphans, signal)
        return { abandoned, orphans, leastUsed: await makeRoom(signal) }
      },
    }),
  }
}
