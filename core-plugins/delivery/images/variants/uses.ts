import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { VariantName, VariantStore } from './variant-store.ts'

/** The precision of the time of a variant's last use. */
const exactnessMs = 60 * 60_000
const mostKnown = 20_000
const mostWaiting = 5_000

/** Collects uses of variants, so that not every response writes to the database. */
export interface Uses {
  note(variant: VariantName): void
  /** Writes the collected uses. */
  flush(): Promise<void>
}

export function createUses(store: VariantStore): Uses {
  const known = new LRUCache<string, true>({ ...upTo(mostKnown), ttl: exactnessMs })
  let waiting: VariantName[] = []
  return {
    note(variant) {
      const id = `${variant.file}/${variant.ops}`
      if (waiting.length >= mostWaiting || known.has(id)) return
      known.set(id, true)
      waiting.push(variant)
    },
    async flush() {
      const variants = waiting
      waiting = []
      await store.touch(variants)
    },
  }
}
