import type { PurgeOrder, Purger } from './cdn.ts'
import type { Purge, TagSet, Tags } from './tags.ts'

export type PlannedCall = Pick<PurgeOrder, 'tags' | 'isHard'>

/**
 * The calls for a purge, beginning with content that has become hidden. If too many calls are needed, whole types are purged
 * instead, or everything.
 */
export function planCalls(
  purge: Purge,
  tags: Tags,
  purger: Pick<Purger, 'maxTags' | 'hasSoftPurge'>,
  left: number,
): readonly PlannedCall[] {
  const allowed = Math.max(1, left)
  if (purge.everything) return [{ tags: [tags.site], isHard: true }]
  const fine = callsFor(purge, (set) => set.tags, purger)
  if (fine.length <= allowed) return fine
  const coarse = callsFor(purge, ({ types }) => new Set([...types].map((type) => tags.all(type))), purger)
  if (coarse.length <= allowed) return coarse
  return [{ tags: [tags.site], isHard: !purger.hasSoftPurge || purge.hard.tags.size > 0 }]
}

function callsFor(
  { hard, soft }: Purge,
  tagsIn: (set: TagSet) => ReadonlySet<string>,
  { maxTags, hasSoftPurge }: Pick<Purger, 'maxTags' | 'hasSoftPurge'>,
): readonly PlannedCall[] {
  const hardTags = tagsIn(hard)
  const others = [...tagsIn(soft)].filter((tag) => !hardTags.has(tag))
  if (!hasSoftPurge) return chunks([...hardTags, ...others], maxTags).map((tags) => ({ tags, isHard: true }))
  return [
    ...chunks([...hardTags], maxTags).map((tags) => ({ tags, isHard: true })),
    ...chunks(others, maxTags).map((tags) => ({ tags, isHard: false })),
  ]
}

function chunks(tags: readonly string[], size: number): string[][] {
  const found: string[][] = []
  for (let from = 0; from < tags.length; from += size) found.push(tags.slice(from, from + size))
  return found
}
