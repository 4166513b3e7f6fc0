import { type Config, defineSetting } from '../config/config.ts'

export const storageType = defineSetting({
  key: 'storage.type',
  tier: 'infrastructure',
  type: 'string',
  default: 'local',
  env: 'STORAGE_TYPE',
  label: 'Storage',
  description: 'Where files are kept: local, s3, or what a plugin adds.',
})

export const uploadDir = defineSetting({
  key: 'storage.uploadDir',
  tier: 'infrastructure',
  type: 'string',
  default: 'uploads',
  env: 'STORAGE_UPLOAD_DIR',
  label: 'Upload directory',
  description: 'Where the local storage keeps files; relative paths from the working directory.',
})

export const baseUrl = defineSetting({
  key: 'storage.baseUrl',
  tier: 'infrastructure',
  type: 'string',
  default: '/api/uploads',
  env: 'STORAGE_BASE_URL',
  label: 'Address of files',
  description:
    'What stands before the name in the addresses of files: a path of this service, or the http(s) address of a CDN in front of it. By default `uploads` below the API prefix.',
  check(value) {
    if (/^(\/[\w.~-]+)+$/.test(value) || /^https?:\/\/[^\s?#]+[^/\s?#]$/.test(value)) return undefined
    return {
      severity: 'fatal',
      message: 'is neither a path such as /files nor an http(s) address, without a slash at the end',
      remedy: 'set it to a path of plain letters, or to the address of a CDN',
    }
  },
})

export const maxFileSize = defineSetting<number>({
  key: 'media.maxFileSize',
  tier: 'runtime',
  type: 'integer',
  default: 50 * 1024 * 1024,
  min: 1,
  label: 'Largest file',
  description: 'Of one uploaded file, in bytes.',
})

export const maxFiles = defineSetting<number>({
  key: 'media.maxFiles',
  tier: 'runtime',
  type: 'integer',
  default: 20,
  min: 1,
  max: 100,
  label: 'Files of one upload',
  description: 'How many files one request may upload.',
})

const patternShape = /^(\*|[a-z]+)\/[a-z0-9.+*-]+$/

export const allowedTypes = defineSetting<readonly string[]>({
  key: 'media.allowedTypes',
  tier: 'runtime',
  type: 'string[]',
  default: [
    'image/*',
    'video/*',
    'audio/*',
    'application/pdf',
    'text/plain',
    'text/csv',
    'text/markdown',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.*',
    'application/vnd.oasis.opendocument.*',
    'application/rtf',
    'application/zip',
    'application/json',
  ],
  label: 'Accepted types',
  description:
    'Media types that may be uploaded, with * for any part: image/*. HTML and scripts never may, whatever it says.',
  check(value) {
    const wrong = value.find((pattern) => !patternShape.test(pattern))
    if (wrong === undefined) return undefined
    return {
      severity: 'fatal',
      message: `${wrong} is no media type`,
      remedy: 'write types in lower case, such as image/png or video/*',
    }
  },
})

function thumbnailWidth(name: string, width: number) {
  return defineSetting<number>({
    key: `media.thumbnails.${name}`,
    tier: 'runtime',
    type: 'integer',
    default: width,
    min: 0,
    max: 8_192,
    label: `Width of ${name} thumbnails`,
    description: 'In pixels; 0 for none. Of images uploaded from now on.',
  })
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
  ...Object.values(thumbnailWidths),
]

/** The widths of thumbnails by their names, as they are set now. */
export function widthsOf(config: Config): Record<string, number> {
  return Object.fromEntries(
    Object.entries(thumbnailWidths)
      .map(([name, setting]) => [name, config.get(setting)] as const)
      .filter(([, width]) => width > 0),
  )
}
