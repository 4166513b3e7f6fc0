/** The columns of a document that are not derived from the texts. */
export interface Stamp {
  readonly type: string
  readonly entryId: number
  /** The entry's `updated_at`; undefined if the document was rebuilt or removed, and needs no stamp. */
  readonly updatedAt: string | undefined
  readonly publishedAt: string | null
}

/** Documents of one type that get the same stamp. */
export interface AlikeStamps {
  readonly type: string
  readonly entryIds: number[]
  readonly updatedAt: string
  readonly publishedAt: string | null
}

/** The stamps to write after several in a row: the last one for each document, grouped by value. */
export function alikeStamps(stamps: readonly Stamp[]): AlikeStamps[] {
  const last = new Map(stamps.map((stamp) => [`${stamp.entryId} ${stamp.type}`, stamp]))
  const groups = new Map<string, AlikeStamps>()
  for (const { type, entryId, updatedAt, publishedAt } of last.values()) {
    if (updatedAt === undefined) continue
    const key = `${updatedAt} ${publishedAt} ${type}`
    const group = groups.get(key) ?? { type, entryIds: [], updatedAt, publishedAt }
    groups.set(key, group)
    group.entryIds.push(entryId)
  }
  return [...groups.values()]
}
