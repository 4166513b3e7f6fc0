import type { MediaFile } from '../../../../../../../client/client.ts'

/** The description of a file as edited; null and '' mean the same. */
export interface Words {
  readonly alt: string
  readonly caption: string
  readonly tags: string
  readonly folder: number | null
}

export const wordsOf = ({ alt, caption, tags, folder }: MediaFile): Words => ({
  alt: alt ?? '',
  caption: caption ?? '',
  tags: tags ?? '',
  folder,
})

type Changes = Partial<Pick<MediaFile, 'alt' | 'caption' | 'tags' | 'folder'>>

/** The changes to send to reach the wanted description. */
export function changesOf(file: MediaFile, words: Words): Changes {
  const before = wordsOf(file)
  return {
    ...(words.alt === before.alt ? {} : { alt: words.alt.trim() || null }),
    ...(words.caption === before.caption ? {} : { caption: words.caption.trim() || null }),
    ...(words.tags === before.tags ? {} : { tags: words.tags.trim() || null }),
    ...(words.folder === before.folder ? {} : { folder: words.folder }),
  }
}

/** The values changed here and differently by another user. */
export function contestedIn(before: Words, theirs: Words, edits: Partial<Words>): readonly (keyof Words)[] {
  const names = Object.keys(edits) as (keyof Words)[]
  return names.filter((name) => theirs[name] !== before[name] && theirs[name] !== edits[name])
}
