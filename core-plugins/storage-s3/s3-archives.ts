import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ArchiveStore } from '../backups/backups.ts'
import { AppError } from '../http/http.ts'
import { openBucket, reasonOf, type SettingNames } from './bucket.ts'
import type { S3Options } from './settings.ts'

/** Stores the files of backups in a bucket, under a prefix of their own. */
export function openS3Archives(options: S3Options, names: SettingNames): ArchiveStore {
  const bucket = openBucket(options)
  const place = `the bucket ${options.bucket} below ${options.prefix}`

  /** Whoever asks for a backup may know how the service is set up. */
  function unavailable(error: unknown): never {
    const message = `${place} cannot be used: ${reasonOf(error, names)}`
    throw new AppError('UNAVAILABLE', message, {
      reason: 'storage_away',
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }

  return {
    place,
    async keep(path, name, signal) {
      const { size } = await stat(path)
      const description = { size, ContentType: 'application/x-tar', CacheControl: 'private, no-store' }
      await bucket.write(name, createReadStream(path), description, signal).catch(unavailable)
    },
    sizeOf: (name) => bucket.sizeOf(name).catch(unavailable),
    read: (name) => bucket.read(name).catch(unavailable),
    remove: (name) => bucket.delete(name).catch(unavailable),
    check: () => bucket.check().catch(unavailable),
  }
}
