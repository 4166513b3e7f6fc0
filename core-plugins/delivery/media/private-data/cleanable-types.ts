/** The types of files that can be cleaned. In a module of its own, since only threads load the code that cleans. */
export const cleanableTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/jxl',
  'audio/mp4',
  'video/mp4',
  'video/quicktime',
  'video/x-m4v',
  'video/3gpp',
] as const

export type CleanableType = (typeof cleanableTypes)[number]
