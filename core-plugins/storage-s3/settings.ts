import { type Config, defineSetting } from '../config/config.ts'

export const bucket = defineSetting({
  key: 'storage.s3.bucket',
  tier: 'infrastructure',
  type: 'string',
  default: '',
  env: 'STORAGE_S3_BUCKET',
  label: 'S3 bucket',
  description: 'The bucket that files are kept in; needed where storage.type is s3.',
})

export const region = defineSetting({
  key: 'storage.s3.region',
  tier: 'infrastructure',
  type: 'string',
  default: 'us-east-1',
  env: 'STORAGE_S3_REGION',
  label: 'S3 region',
  description: 'The region of the bucket; stores other than Amazon mostly ignore it.',
})

export const endpoint = defineSetting({
  key: 'storage.s3.endpoint',
  tier: 'infrastructure',
  type: 'string',
  default: '',
  env: 'STORAGE_S3_ENDPOINT',
  label: 'S3 endpoint',
  description: 'The http(s) address of a store other than Amazon; empty for Amazon.',
  check: webAddress,
})

export const forcePathStyle = defineSetting<boolean>({
  key: 'storage.s3.forcePathStyle',
  tier: 'infrastructure',
  type: 'boolean',
  default: false,
  env: 'STORAGE_S3_FORCE_PATH_STYLE',
  label: 'Bucket in the path',
  description: 'Whether the bucket is part of the path instead of the host, as MinIO and others want it.',
})

export const prefix = defineSetting({
  key: 'storage.s3.prefix',
  tier: 'infrastructure',
  type: 'string',
  default: '',
  env: 'STORAGE_S3_PREFIX',
  label: 'Prefix in the bucket',
  description: 'What stands before the names of files in the bucket, such as `media/`.',
})

export const publicUrl = defineSetting({
  key: 'storage.s3.publicUrl',
  tier: 'infrastructure',
  type: 'string',
  default: '',
  env: 'STORAGE_S3_PUBLIC_URL',
  label: 'Public address of the bucket',
  description:
    'The http(s) address under which everybody may read the bucket: clients are sent there with a redirect. Empty: this service passes the bytes on.',
  check: webAddress,
})

export const accessKeyId = defineSetting({
  key: 'storage.s3.accessKeyId',
  tier: 'secret',
  type: 'string',
  default: '',
  env: 'STORAGE_S3_ACCESS_KEY_ID',
  label: 'S3 access key',
  description: 'Empty for the credentials of the machine or of the AWS_* variables.',
})

export const secretAccessKey = defineSetting({
  key: 'storage.s3.secretAccessKey',
  tier: 'secret',
  type: 'string',
  default: '',
  env: 'STORAGE_S3_SECRET_ACCESS_KEY',
  label: 'S3 secret key',
  description: 'Belongs to the access key.',
})

export const backupsBucket = defineSetting({
  key: 'backups.s3.bucket',
  tier: 'infrastructure',
  type: 'string',
  default: '',
  env: 'BACKUPS_S3_BUCKET',
  label: 'S3 bucket of backups',
  description: 'The bucket that backups are kept in where backups.storage is s3; empty: that of files.',
})

export const backupsPrefix = defineSetting({
  key: 'backups.s3.prefix',
  tier: 'infrastructure',
  type: 'string',
  default: 'backups/',
  env: 'BACKUPS_S3_PREFIX',
  label: 'Prefix of backups',
  description: 'What stands before the names of backups in the bucket; it ends with a slash.',
  check: folderPath,
})

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
]

/** The settings as they are at the start. */
export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** Undefined for Amazon. */
  readonly endpoint: string | undefined
  readonly forcePathStyle: boolean
  /** What stands before every key. */
  readonly prefix: string
  readonly publicUrl: string | undefined
  /** Undefined for those that the SDK finds by itself. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
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
  }
}

/** The same bucket, or one of its own, for backups. */
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
