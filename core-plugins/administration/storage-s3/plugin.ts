import { definePlugin, type Log, StartupError } from '../../../kernel/index.ts'
import { type MediaStorage, mediaStorages } from '../../delivery/media/media.ts'
import { type Config, configService, settings } from '../../foundation/config/config.ts'
import { type ArchiveStore, archiveStores } from '../backups/backups.ts'
import type { SettingNames } from './explain.ts'
import {
  accessKeyId,
  backupsBucket,
  backupsPrefix,
  bucket,
  endpoint,
  readBackupOptions,
  readS3Options,
  region,
  s3Settings,
  secretAccessKey,
  timeoutMs,
} from './settings.ts'

/** Stores files or backups in any S3-compatible store, if `storage.type` or `backups.storage` is `s3`. */
export const storageS3Plugin = definePlugin({
  name: 'storage-s3',
  description: 'Keeps the files of the media library, or backups, in a bucket of an S3-compatible store',
  uses: { config: configService },

  register({ contribute }) {
    for (const setting of s3Settings) contribute(settings, setting)
  },

  init({ services: { config }, contribute }) {
    contribute(mediaStorages, { type: 's3', open: ({ log }) => openStorage(config, log) })
    contribute(archiveStores, { type: 's3', open: () => openArchives(config) })
  },
})

/** Loaded on demand, since the SDK is large and many services store files elsewhere. */
async function openStorage(config: Config, log: Log): Promise<MediaStorage> {
  const options = readS3Options(config)
  if (options.bucket === '') {
    const remedy = 'name the bucket, or choose another storage.type'
    throw new StartupError('Files cannot be stored:', [
      { subject: config.envNameOf(bucket), message: 'is missing', remedy },
    ])
  }
  const { openS3Storage } = await import('./s3-storage.ts')
  return openS3Storage(options, namesOf(config, config.envNameOf(bucket)), log)
}

async function openArchives(config: Config): Promise<ArchiveStore> {
  const options = readBackupOptions(config)
  assertNotMixed(config)
  const { openS3Archives } = await import('./s3-archives.ts')
  const bucketName = config.envNameOf(config.get(backupsBucket) === '' ? bucket : backupsBucket)
  return openS3Archives(options, namesOf(config, bucketName))
}

/**
 * Refuses settings that would store backups in a public bucket or under the prefix of media files, since backups contain
 * addresses and password hashes.
 * @throws StartupError
 */
function assertNotMixed(config: Config): void {
  const [media, backups] = [readS3Options(config), readBackupOptions(config)]
  const refuse = (subject: string, message: string, remedy: string) => {
    throw new StartupError('Backups cannot be kept:', [{ subject, message, remedy }])
  }
  const bucketName = config.envNameOf(backupsBucket)
  if (backups.bucket === '')
    refuse(bucketName, 'is missing', 'name the bucket, or choose another backups.storage')
  if (media.bucket !== backups.bucket) return
  if (media.publicUrl !== undefined) {
    refuse(
      bucketName,
      'is missing, and everybody may read the bucket of files',
      'name a bucket that is private',
    )
  }
  if (media.prefix === backups.prefix) {
    refuse(config.envNameOf(backupsPrefix), 'is that of files, too', 'choose another one')
  }
}

function namesOf(config: Config, bucketName: string): SettingNames {
  return {
    bucket: bucketName,
    endpoint: config.envNameOf(endpoint),
    region: config.envNameOf(region),
    timeout: config.envNameOf(timeoutMs),
    credentials: `${config.envNameOf(accessKeyId)} and ${config.envNameOf(secretAccessKey)}`,
  }
}
