import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { AppError } from '../../foundation/http/http.ts'
import { type ArchiveStore, isArchiveName } from '../backups/backups.ts'
import { openBucket } from './bucket.ts'
import { explain, type SettingNames, statusOf } from './explain.ts'
import type { S3Options } from './settings.ts'

/** Longer than sending a backup over a slow connection takes. */
const givenUpMs = 7 * 24 * 60 * 60_000

/** Stores the files of backups in a bucket, under a prefix of their own. */
export function openS3Archives(options: S3Options, names: SettingNames): ArchiveStore {
  const bucket = openBucket(options)
  const place = `the bucket ${options.bucket} below ${options.prefix}`

  /** Names the cause in detail, because callers of backups may know the configuration. */
  function unavailable(error: unknown): never {
    const message = `${place} cannot be used: ${explain(error, names).text}`
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
      const source = createReadStream(path)
      try {
        await bucket.write(name, source, description, signal)
      } catch (error) {
        // The source could not be read, or the call was aborted.
        if (error === source.errored) throw error
        unavailable(error)
      }
    },
    sizeOf: (name) => bucket.sizeOf(name).catch(unavailable),
    read: (name) => bucket.read(name).catch(unavailable),
    remove: (name) => bucket.delete(name).catch(unavailable),
    async removeLeftovers() {
      await bucket.abortUnfinished(isArchiveName, givenUpMs).catch((error) => {
        // Some stores cannot list unfinished uploads, and some keys may not.
        if (![403, 405, 501].includes(statusOf(error) ?? 0)) unavailable(error)
      })
    },
    check: () => bucket.check().catch(unavailable),
  }
}
