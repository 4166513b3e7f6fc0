/**
 * Converts `{ author: true, blocks: { image: true } }` into the paths that the service takes: `author`,
 * `blocks.image`.
 */
export function populatePaths(populate: unknown): string[] {
  if (populate === '*') return ['*']
  if (typeof populate !== 'object' || populate === null) return []
  return Object.entries(populate).flatMap(([field, inside]) => {
    if (inside === undefined || inside === false) return []
    const deeper = populatePaths(inside).map((path) => `${field}.${path}`)
    return deeper.length === 0 ? [field] : deeper
  })
}
