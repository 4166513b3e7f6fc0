/** Kinds of files, by the names of the library's `type` filter and of `allowedTypes` of media fields. */
export type FileKind = 'images' | 'videos' | 'audio' | 'files'

export const fileKinds: readonly FileKind[] = ['images', 'videos', 'audio', 'files']

/** Schema files say `audios` where the library says `audio`. */
export function fileKindOf(name: string): FileKind | undefined {
  return fileKinds.find((kind) => kind === (name === 'audios' ? 'audio' : name))
}

/** The kind of a media type. */
export function kindOf(mimeType: string): FileKind {
  if (mimeType.startsWith('image/')) return 'images'
  if (mimeType.startsWith('video/')) return 'videos'
  return mimeType.startsWith('audio/') ? 'audio' : 'files'
}

/**
 * Image types that browsers show, or that the service converts to such types. HEIC, JPEG XL, PSD and raw camera files are not
 * among them.
 */
const shownImages: readonly string[] = [
  'jpeg',
  'png',
  'gif',
  'webp',
  'avif',
  'svg+xml',
  'tiff',
  'bmp',
  'x-icon',
]

/** Whether many browsers cannot show this image type and the service does not convert it. */
export const isHardlyShown = (mimeType: string): boolean =>
  mimeType.startsWith('image/') && !shownImages.includes(mimeType.slice('image/'.length))

const patterns: Readonly<Record<FileKind, readonly string[]>> = {
  images: ['image/*'],
  videos: ['video/*'],
  audio: ['audio/*'],
  files: [],
}

/** The `accept` values of file inputs; empty for any file. */
export function acceptedTypes(kinds: readonly FileKind[]): readonly string[] {
  return kinds.includes('files') ? [] : kinds.flatMap((kind) => patterns[kind])
}

/** Whether a media type fits one of the patterns of `media.allowedTypes`; no pattern at all fits everything. */
export function fitsPatterns(mimeType: string, allowed: readonly string[]): boolean {
  return (
    allowed.length === 0 ||
    allowed.some((pattern) =>
      pattern.endsWith('/*') ? mimeType.startsWith(pattern.slice(0, -1)) : mimeType === pattern,
    )
  )
}

const icons: Readonly<Record<FileKind, string>> = {
  images: 'file-image',
  videos: 'file-video',
  audio: 'file-audio',
  files: 'file-text',
}

export const iconOf = (mimeType: string): string => icons[kindOf(mimeType)]
