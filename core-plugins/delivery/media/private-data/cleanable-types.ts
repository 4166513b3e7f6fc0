/** The types of files out of which places and devices can be taken. Apart from how that is done: only threads load that. */
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
