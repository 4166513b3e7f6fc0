import type { FilePlace } from './media-fields.ts'
import type { EntryUsages } from './usage-store.ts'

/** The ids of the records to which fields refer. */
export function referredIds(places: readonly FilePlace[]): number[] {
  return places.flatMap(({ file }) => (typeof file === 'number' ? file : []))
}

/** The names of files in texts. */
export function mentionedKeys(places: readonly FilePlace[]): string[] {
  return places.flatMap(({ file }) => (typeof file === 'string' ? file : []))
}

/** What places use, given the ids of the records whose files texts name; names of other files are no use. */
export function usagesOf(
  places: readonly FilePlace[],
  mentioned: ReadonlyMap<string, number>,
): EntryUsages['usages'] {
  return places.flatMap(({ file, field, isDraft }) => {
    const isText = typeof file === 'string'
    const mediaId = isText ? mentioned.get(file) : file
    return mediaId === undefined ? [] : { mediaId, field, isDraft, isText }
  })
}
