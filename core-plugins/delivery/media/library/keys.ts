import { isSafeInline, svgType } from '../identify/file-types.ts'
import type { MediaFile, MediaRecord, Untouched } from '../media.ts'
import { keyIn } from '../media-key.ts'
import type { FileDescription } from '../storage.ts'

/** The public storage keys of a record: the file, then its thumbnails. */
export function keysOf({ filename, formats }: Pick<MediaRecord, 'filename' | 'formats'>): string[] {
  const thumbnails = Object.values(formats ?? {}).map(({ url }) => keyIn(url))
  return [filename, ...thumbnails]
}

/** Like `keysOf`, plus the key of the file as it was uploaded. */
export function allKeysOf(media: Pick<MediaRecord, 'filename' | 'formats'> & Untouched): string[] {
  return [...keysOf(media), ...untouchedOf(media)]
}

const untouchedOf = ({ untouched }: Untouched): readonly string[] =>
  untouched === null || untouched === undefined ? [] : [untouched]

/**
 * The key of a file as it was uploaded: it has the base of the public file, so that both are removed together, contains a
 * secret, and is not a name under which files are served.
 */
export function untouchedKey(base: string, secret: string, extension: string): string {
  return `${base}_original-${secret}.${extension}`
}

/** The files of a record with what a storage needs to know about them, except their sizes. */
export function filesOf(
  media: Pick<MediaRecord, 'filename' | 'formats' | 'mimeType'> & Untouched,
): MediaFile[] {
  const [key = media.filename, ...thumbnails] = keysOf(media)
  return [
    { key, mediaType: media.mimeType, disposition: dispositionOf(media.mimeType) },
    ...thumbnails.map((thumbnail) => ({ key: thumbnail, ...thumbnailDescription })),
    ...untouchedOf(media).map((untouched) => ({
      key: untouched,
      mediaType: media.mimeType,
      disposition: 'attachment' as const,
    })),
  ]
}

/** The description of every thumbnail. */
export const thumbnailDescription = { mediaType: 'image/webp', disposition: 'inline' } as const

/** A remote storage does not send our Content-Security-Policy, so types that could contain scripts are never inline there. */
export function dispositionOf(mediaType: string): FileDescription['disposition'] {
  return isSafeInline(mediaType) && mediaType !== svgType ? 'inline' : 'attachment'
}
