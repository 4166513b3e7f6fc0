/** What a document says of its entry besides the texts. */
export interface Stamp {
  readonly type: string
  readonly entryId: number
  /** The entry's `updated_at`; undefined where the document was made anew or removed, and is right as it is. */
  readonly updatedAt: string | undefined
  readonly publishedAt: string | null
}

/** Documents of one type that are to say the same. */
export interface AlikeStamps {
  readonly type: string
  readonly entryIds: number[]
  readonly updatedAt: string
  readonly publishedAt: string | null
}

/** What is left to be written of stamps that came one after the other: the last one of each document. */
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
