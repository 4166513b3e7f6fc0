import { Type } from 'typebox'
import { type Config, defineSetting } from '../../foundation/config/config.ts'

export const bucket = defineSetting(
  'storage.s3.bucket',
  Type.String({
    tier: 'infrastructure',
    default: '',
    env: 'STORAGE_S3_BUCKET',
    title: 'S3 bucket',
    description: 'The bucket that files are kept in; needed where storage.type is s3.',
  }),
)

export const region = defineSetting(
  'storage.s3.region',
  Type.String({
    tier: 'infrastructure',
    default: 'us-east-1',
    env: 'STORAGE_S3_REGION',
    title: 'S3 region',
    description: 'The region of the bucket; stores other than Amazon mostly ignore it.',
  }),
)

export const endpoint = defineSetting(
  'storage.s3.endpoint',
  Type.String({
    tier: 'infrastructure',
    default: '',
    env: 'STORAGE_S3_ENDPOINT',
    title: 'S3 endpoint',
    description: 'The http(s) address of a store other than Amazon; empty for Amazon.',
  }),
  webAddress,
)

export const forcePathStyle = defineSetting(
  'storage.s3.forcePathStyle',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    env: 'STORAGE_S3_FORCE_PATH_STYLE',
    title: 'Bucket in the path',
    description: 'Whether the bucket is part of the path instead of the host, as MinIO and others want it.',
  }),
)

export const prefix = defineSetting(
  'storage.s3.prefix',
  Type.String({
    tier: 'infrastructure',
    default: '',
    env: 'STORAGE_S3_PREFIX',
    title: 'Prefix in the bucket',
    description: 'What stands before the names of files in the bucket, such as `media/`.',
  }),
)

export const publicUrl = defineSetting(
  'storage.s3.publicUrl',
  Type.String({
    tier: 'infrastructure',
    default: '',
    env: 'STORAGE_S3_PUBLIC_URL',
    title: 'Public address of the bucket',
    description:
      'The http(s) address under which everybody may read the bucket: clients are sent there with a redirect. Empty: this service passes the bytes on.',
  }),
  webAddress,
)

export const accessKeyId = defineSetting(
  'storage.s3.accessKeyId',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'STORAGE_S3_ACCESS_KEY_ID',
    title: 'S3 access key',
    description: 'Empty for the credentials of the machine or of the AWS_* variables.',
  }),
)

export const secretAccessKey = defineSetting(
  'storage.s3.secretAccessKey',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'STORAGE_S3_SECRET_ACCESS_KEY',
    title: 'S3 secret key',
    description: 'Belongs to the access key.',
  }),
)

export const timeoutMs = defineSetting(
  'storage.s3.timeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 100,
    maximum: 600_000,
    env: 'STORAGE_S3_TIMEOUT_MS',
    title: 'Limit of the bucket',
    description:
      'How long the bucket may take to begin an answer, in milliseconds. In the middle of a file, and after it was sent one, it may be silent for four times as long.',
  }),
)

export const backupsBucket = defineSetting(
  'backups.s3.bucket',
  Type.String({
    tier: 'infrastructure',
    default: '',
    env: 'BACKUPS_S3_BUCKET',
    title: 'S3 bucket of backups',
    description: 'The bucket that backups are kept in where backups.storage is s3; empty: that of files.',
  }),
)

export const backupsPrefix = defineSetting(
  'backups.s3.prefix',
  Type.String({
    tier: 'infrastructure',
    default: 'backups/',
    env: 'BACKUPS_S3_PREFIX',
    title: 'Prefix of backups',
    description: 'What stands before the names of backups in the bucket; it ends with a slash.',
  }),
  folderPath,
)

export const s3Settings = [
  bucket,
  region,
  endpoint,
  forcePathStyle,
  prefix,
  publicUrl,
  backupsBucket,
  backupsPrefix,
  accessKeyId,
  secretAccessKey,
  timeoutMs,
]

/** The settings at start. */
export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** Undefined for Amazon. */
  readonly endpoint: string | undefined
  readonly forcePathStyle: boolean
  /** The prefix of every key. */
  readonly prefix: string
  readonly publicUrl: string | undefined
  /** Undefined for credentials that the SDK finds itself. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** See `storage.s3.timeoutMs`. */
  readonly timeoutMs: number
}

export function readS3Options(config: Config): S3Options {
  const keys = { accessKeyId: config.get(accessKeyId), secretAccessKey: config.get(secretAccessKey) }
  return {
    bucket: config.get(bucket),
    region: config.get(region),
    endpoint: config.get(endpoint) || undefined,
    forcePathStyle: config.get(forcePathStyle),
    prefix: config.get(prefix),
    publicUrl: config.get(publicUrl).replace(/\/$/, '') || undefined,
    credentials: keys.accessKeyId === '' ? undefined : keys,
    timeoutMs: config.get(timeoutMs),
  }
}

/** The same bucket, or a separate one, for backups. */
export function readBackupOptions(config: Config): S3Options {
  const media = readS3Options(config)
  return { ...media, bucket: config.get(backupsBucket) || media.bucket, prefix: config.get(backupsPrefix) }
}

function folderPath(value: string) {
  const segments = value.split('/')
  const areNames = segments.slice(0, -1).every((name) => /^(?!\.{1,2}$)[\w.!*'()-]+$/.test(name))
  if (segments.length > 1 && segments.at(-1) === '' && areNames) return undefined
  return {
    severity: 'fatal',
    message: 'is no prefix for backups',
    remedy: "write names of letters, digits and -_.!*'(), each with a slash behind it, such as backups/",
  } as const
}

function webAddress(value: string) {
  if (value === '' || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return undefined
  return {
    severity: 'fatal',
    message: 'is not an http or https address',
    remedy: 'give it whole, such as https://s3.example.com, or leave it empty',
  } as const
}
