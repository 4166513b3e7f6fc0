import { Type } from 'typebox'
import { type Config, defineSetting } from '../../foundation/config/config.ts'

/** The name of the built-in storage, which is always available. */
export const localStorage = 'local'

export const storageType = defineSetting(
  'storage.type',
  Type.String({
    tier: 'infrastructure',
    default: localStorage,
    env: 'STORAGE_TYPE',
    title: 'Storage',
    description: 'Where files are kept: local, s3, or what a plugin adds.',
  }),
)

export const uploadDir = defineSetting(
  'storage.uploadDir',
  Type.String({
    tier: 'infrastructure',
    default: 'uploads',
    env: 'STORAGE_UPLOAD_DIR',
    title: 'Upload directory',
    description: 'Where the local storage keeps files; relative paths from the working directory.',
  }),
)

/** Whether a text is a valid base of file addresses. */
export function isBase(text: string): boolean {
  return /^(\/[\w.~-]+)+$/.test(text) || /^https?:\/\/[^\s?#]+[^/\s?#]$/.test(text)
}

export const baseUrl = defineSetting(
  'storage.baseUrl',
  Type.String({
    tier: 'infrastructure',
    default: '/api/uploads',
    env: 'STORAGE_BASE_URL',
    title: 'Address of files',
    description:
      'What stands before the name in the addresses of files, whenever they were uploaded: a path of this service, or the http(s) address of a CDN in front of it. By default `uploads` below the API prefix. Former paths go on working.',
  }),
  (value) => {
    if (isBase(value)) return undefined
    return {
      severity: 'fatal',
      message: 'is neither a path such as /files nor an http(s) address, without a slash at the end',
      remedy: 'set it to a path of plain letters, or to the address of a CDN',
    }
  },
)

export const maxFileSize = defineSetting(
  'media.maxFileSize',
  Type.Integer({
    tier: 'runtime',
    default: 50 * 1024 * 1024,
    minimum: 1,
    title: 'Largest file',
    description: 'Of one uploaded file, in bytes.',
  }),
)

export const removePrivateData = defineSetting(
  'media.removePrivateData',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'Take places out of photos',
    description:
      'Whether public files are without where, with what device and by whose account they were taken (GPS, camera, serial numbers, notes of the maker). The file as it was uploaded is kept for those who may write media. Of files uploaded from now on.',
  }),
)

export const maxFiles = defineSetting(
  'media.maxFiles',
  Type.Integer({
    tier: 'runtime',
    default: 20,
    minimum: 1,
    maximum: 100,
    title: 'Files of one upload',
    description: 'How many files one request may upload.',
  }),
)

const patternShape = /^(\*|[a-z]+)\/[a-z0-9.+*-]+$/

export const allowedTypes = defineSetting(
  'media.allowedTypes',
  Type.Array(Type.String(), {
    tier: 'runtime',
    default: [
      'image/*',
      'video/*',
      'audio/*',
      'application/pdf',
      'text/plain',
      'text/csv',
      'text/markdown',
      'text/vtt',
      'application/x-subrip',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.*',
      'application/vnd.oasis.opendocument.*',
      'application/rtf',
      'application/zip',
      'application/json',
    ],
    title: 'Accepted types',
    description:
      'Media types that may be uploaded, with * for any part: image/*. text/vcard, application/gpx+xml and other texts can be let in, text of any other name (.abc) as text/x-abc. HTML and scripts never may, whatever it says.',
  }),
  (value) => {
    const wrong = value.find((pattern) => !patternShape.test(pattern))
    if (wrong === undefined) return undefined
    return {
      severity: 'fatal',
      message: `${wrong} is no media type`,
      remedy: 'write types in lower case, such as image/png or video/*',
    }
  },
)

function thumbnailWidth(name: string, width: number) {
  return defineSetting(
    `media.thumbnails.${name}`,
    Type.Integer({
      tier: 'runtime',
      default: width,
      minimum: 0,
      maximum: 8_192,
      title: `Width of ${name} thumbnails`,
      description: 'In pixels; 0 for none. Of images uploaded from now on.',
    }),
  )
}

const thumbnailWidths = {
  small: thumbnailWidth('small', 500),
  medium: thumbnailWidth('medium', 750),
  large: thumbnailWidth('large', 1_000),
}

export const mediaSettings = [
  storageType,
  uploadDir,
  baseUrl,
  maxFileSize,
  maxFiles,
  allowedTypes,
  removePrivateData,
  ...Object.values(thumbnailWidths),
]

/** The current widths of thumbnails, by name. */
export function widthsOf(config: Config): Record<string, number> {
  return Object.fromEntries(
    Object.entries(thumbnailWidths)
      .map(([name, setting]) => [name, config.get(setting)] as const)
      .filter(([, width]) => width > 0),
  )
}
