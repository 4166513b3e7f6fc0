import { isSafeInline, svgType } from '../identify/file-types.ts'
import type { MediaFile, MediaRecord } from '../media.ts'
import { keyIn } from '../media-key.ts'
import type { FileDescription } from '../storage.ts'

/** The storage keys of a record: the file, then its thumbnails. */
export function keysOf({ filename, formats }: Pick<MediaRecord, 'filename' | 'formats'>): string[] {
  const thumbnails = Object.values(formats ?? {}).map(({ url }) => keyIn(url))
  return [filename, ...thumbnails]
}

/** The files of a record, with what a storage needs to know about them, except their sizes. */
export function filesOf(media: Pick<MediaRecord, 'filename' | 'formats' | 'mimeType'>): MediaFile[] {
  const [key = media.filename, ...thumbnails] = keysOf(media)
  return [
    { key, mediaType: media.mimeType, disposition: dispositionOf(media.mimeType) },
    ...thumbnails.map((thumbnail) => ({ key: thumbnail, ...thumbnailDescription })),
  ]
}

/** Of every thumbnail. */
export const thumbnailDescription = { mediaType: 'image/webp', disposition: 'inline' } as const

/** A remote store does not send our policy, so nothing that could contain a script is shown inline there. */
export function dispositionOf(mediaType: string): FileDescription['disposition'] {
  return isSafeInline(mediaType) && mediaType !== svgType ? 'inline' : 'attachment'
}
