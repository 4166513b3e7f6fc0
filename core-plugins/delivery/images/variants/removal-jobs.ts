import { Type } from 'typebox'
import { defineJob, type JobKind } from '../../../background/jobs/jobs.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { type Media, variantKey } from '../../media/media.ts'
import { maxBytes } from '../settings.ts'
import type { VariantRow, VariantStore } from './variant-store.ts'

/** The fraction of the limit to which stored images are reduced, so that the next image does not exceed it again. */
const share = 0.9

export interface RemovalDeps {
  readonly config: Config
  readonly media: Pick<Media, 'storage'>
  readonly store: VariantStore
}

export interface RemovalJobs {
  /** Removes the variants of files. */
  readonly ofFiles: JobKind<{ files: string[] }>
  /** Removes variants above the limit, incomplete ones, and those of deleted files. */
  readonly tidy: JobKind<object>
}

/** The schedule of `tidy`. */
export const tidyTimes = '*/10 * * * *'

export function createRemovalJobs({ config, media, store }: RemovalDeps): RemovalJobs {
  /** From the storage first: a listed variant that no longer exists is found again, an unlisted file never is. */
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
