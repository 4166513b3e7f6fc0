import type { MediaKind } from '../../../foundation/schemas/schemas.ts'

/** Extensions by media type: stored files get the first one, names may have any of them. */
const binaryTypes: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/heic': ['heic', 'heif'],
  'image/heif': ['heif', 'heic'],
  'image/tiff': ['tif', 'tiff'],
  'image/bmp': ['bmp', 'dib'],
  'image/x-icon': ['ico'],
  'image/jxl': ['jxl'],
  'image/vnd.adobe.photoshop': ['psd'],
  'video/mp4': ['mp4', 'm4v', 'mov'],
  'video/x-m4v': ['m4v', 'mp4'],
  'video/quicktime': ['mov', 'qt', 'mp4'],
  'video/webm': ['webm'],
  'video/matroska': ['mkv'],
  'video/vnd.avi': ['avi'],
  'video/mpeg': ['mpg', 'mpeg'],
  'video/ogg': ['ogv', 'ogg'],
  'video/3gpp': ['3gp'],
  'video/x-flv': ['flv'],
  'video/x-ms-asf': ['wmv', 'asf'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a', 'mp4', 'm4b'],
  'audio/aac': ['aac'],
  'audio/ogg': ['ogg', 'oga'],
  'audio/opus': ['opus', 'ogg'],
  'audio/flac': ['flac'],
  'audio/wav': ['wav'],
  'audio/aiff': ['aif', 'aiff'],
  'audio/midi': ['mid', 'midi'],
  'audio/amr': ['amr'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/rtf': ['rtf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': ['dotx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': ['xltx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': ['ppsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.template': ['potx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/vnd.oasis.opendocument.graphics': ['odg'],
  'application/msword': ['doc', 'dot'],
  'application/vnd.ms-excel': ['xls', 'xlt'],
  'application/vnd.ms-powerpoint': ['ppt', 'pps', 'pot'],
}

/** Text types, which can only be distinguished by the extension. */
const textTypes: Readonly<Record<string, readonly string[]>> = {
  'text/plain': ['txt', 'text', 'log'],
  'text/csv': ['csv'],
  'text/tab-separated-values': ['tsv'],
  'text/markdown': ['md', 'markdown'],
  'text/vtt': ['vtt'],
  'text/calendar': ['ics'],
  'application/json': ['json', 'geojson'],
  'application/x-subrip': ['srt'],
  'application/yaml': ['yaml', 'yml'],
  'application/xml': ['xml'],
  'application/gpx+xml': ['gpx'],
  'application/vnd.google-earth.kml+xml': ['kml'],
  'application/xliff+xml': ['xliff', 'xlf'],
  'text/vcard': ['vcf', 'vcard'],
  'text/x-gettext-translation': ['po', 'pot'],
}

/** Extensions of files that browsers, servers or operating systems execute, regardless of the content. */
const runNames =
  /^(x?html?|xht|[sp]html|mhtml?|ht[acm]|svgz?|xslt?|[cm]?[jt]s|[jt]sx|wasm|php\d?|phar|jspx?|as[hpm]x?|aspx|cgi|pl|py|rb|sh|bash|zsh|bat|cmd|ps1|vb[es]?|ws[fh]?|css|desktop|reg|jar|exe)$/

export const svgType = 'image/svg+xml'

/** Image types that can be decoded, so that other images can be made of them. */
const decodedTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  svgType,
]

/** Whether a type is an image type that cannot be decoded; at most its size can be read. */
export const isUndecoded = (mediaType: string): boolean =>
  mediaType.startsWith('image/') && !decodedTypes.includes(mediaType)

/** Old office documents share one container format, so the extension decides between them. */
export const compoundTypes = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
]

/** Other names in use for the stored types. */
const aliases: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'audio/x-m4a': 'audio/mp4',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/ogg; codecs=opus': 'audio/opus',
  'video/x-msvideo': 'video/vnd.avi',
  'video/x-matroska': 'video/matroska',
  'application/x-rtf': 'application/rtf',
  'text/rtf': 'application/rtf',
}

const extensions: Readonly<Record<string, readonly string[]>> = {
  ...binaryTypes,
  ...textTypes,
  [svgType]: ['svg'],
}

const typesByExtension = new Map(
  Object.entries(extensions)
    .reverse()
    .flatMap(([type, names]) => names.map((name, index) => ({ type, name, index })))
    .sort((left, right) => right.index - left.index)
    .map(({ name, type }) => [name, type]),
)

/** The canonical name of a media type. */
export function canonicalType(mediaType: string): string {
  return aliases[mediaType] ?? mediaType
}

/** The extensions that files of a type may have, or `fallback` for unknown types. */
export function extensionsOf(mediaType: string, fallback: string): readonly string[] {
  return extensions[mediaType] ?? [fallback]
}

/** The extensions with which images are stored. */
export const imageExtensions: readonly string[] = [
  ...new Set(
    Object.entries(extensions).flatMap(([type, [stored = '']]) => (type.startsWith('image/') ? stored : [])),
  ),
]

/**
 * The text type of an extension, derived from the extension if there is no registered one, since `media.allowedTypes` may name
 * any. Undefined for extensions of executable files and of files that are not text.
 */
export function textTypeOf(extension: string): string | undefined {
  const known = Object.keys(textTypes).find((type) => textTypes[type]?.includes(extension))
  if (known !== undefined) return known
  return runNames.test(extension) || typesByExtension.has(extension) ? undefined : `text/x-${extension}`
}

/** The media type with which a stored file is served, by its extension. */
export function servedTypeOf(extension: string): string {
  return typesByExtension.get(extension) ?? 'application/octet-stream'
}

/** Whether browsers may show the type inline; other types are downloads. */
export function isSafeInline(mediaType: string): boolean {
  return /^(image|video|audio)\//.test(mediaType) || ['application/pdf', 'text/plain'].includes(mediaType)
}

/** The kind of a media type, for `allowedTypes` of media attributes. */
export function kindOf(mediaType: string): MediaKind {
  const [family] = mediaType.split('/')
  if (family === 'image') return 'images'
  if (family === 'video') return 'videos'
  return family === 'audio' ? 'audios' : 'files'
}

/** Whether a type matches one of the patterns, such as `image/*`. */
export function isAllowed(mediaType: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const expression = pattern.split('*').map(escapeExpression).join('.*')
    return new RegExp(`^${expression}$`).test(mediaType)
  })
}

function escapeExpression(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
}
