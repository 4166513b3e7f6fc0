import type { Transaction } from '../../database/database.ts'
import { compareKeys, hashOf, type Value } from '../canonical.ts'
import type { TransferItem } from '../transfer-item.ts'
import type { Section } from './section.ts'

/** An item of a section that is small enough to be read as a whole. */
export interface WholeItem {
  readonly key: string
  readonly value: Value
  readonly changedAt?: string | null
}

/** The reading part of a section of which there are few items. */
export function wholeSection(
  all: (tx?: Transaction) => Promise<readonly WholeItem[]>,
): Pick<Section, 'page' | 'find'> {
  const items = async (tx?: Transaction): Promise<TransferItem[]> =>
    (await all(tx)).map(({ key, value, changedAt = null }) => ({
      ...{ key, value, changedAt },
      hash: hashOf(value),
      label: null,
      references: [],
    }))
  return {
    async page(after, limit) {
      const later = (await items()).filter(({ key }) => compareKeys(key, after) > 0)
      return later.sort((left, right) => compareKeys(left.key, right.key)).slice(0, limit)
    },
    async find(keys, tx) {
      const wanted = new Set(keys)
      return (await items(tx)).filter(({ key }) => wanted.has(key))
    },
  }
}
