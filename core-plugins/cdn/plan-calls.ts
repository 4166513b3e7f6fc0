import type { Purge, Tags } from './tags.ts'

/**
 * The tags of each call that a purge takes. Where those are more than may be made now, whole types are purged, or
 * everything.
 */
export function planCalls(purge: Purge, tags: Tags, maxTags: number, left: number): readonly string[][] {
  const allowed = Math.max(1, left)
  const everything = [[tags.site]]
  if (purge.everything) return everything
  const fine = chunks([...purge.tags], maxTags)
  if (fine.length <= allowed) return fine
  const coarse = chunks(
    [...purge.types].map((type) => tags.all(type)),
    maxTags,
  )
  return coarse.length <= allowed ? coarse : everything
}

function chunks(tags: readonly string[], size: number): string[][] {
  const found: string[][] = []
  for (let from = 0; from < tags.length; from += size) found.push(tags.slice(from, from + size))
  return found
}
