import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { AppError } from '../http/http.ts'
import type { FileDescription, MediaStorage } from '../media/media.ts'
import { openBucket, reasonOf, type SettingNames } from './bucket.ts'
import type { S3Options } from './settings.ts'

const cacheControl = 'public, max-age=31536000, immutable'

/** Stores files in a bucket. @throws Error if the bucket is unreachable */
export async function openS3Storage(options: S3Options, names: SettingNames): Promise<MediaStorage> {
  const { prefix, publicUrl } = options
  const bucket = openBucket(options)
  await bucket.check().catch((error) => {
    const reason = reasonOf(error, names)
    throw new Error(`the bucket ${options.bucket} cannot be reached: ${reason}`, { cause: error })
  })

  async function write(key: string, source: Readable, file: FileDescription): Promise<void> {
    const description = {
      ContentType: file.mediaType,
      ContentDisposition: file.disposition,
      CacheControl: cacheControl,
    }
    await bucket.write(key, source, description).catch(unavailable)
  }

  return {
    write,
    adopt: (key, path, description) => write(key, createReadStream(path), description),
    async stat(key) {
      const size = await bucket.sizeOf(key).catch(unavailable)
      return size === undefined ? undefined : { size }
    },
    read: (key, range) => bucket.read(key, range).catch(unavailable),
    delete: (key) => bucket.delete(key).catch(unavailable),
    ...(publicUrl === undefined ? {} : { locate: async (key: string) => `${publicUrl}/${prefix}${key}` }),
    close: async () => bucket.close(),
  }
}

/** Nothing is wrong with the request, nor with this service. */
function unavailable(error: unknown): never {
  throw new AppError('UNAVAILABLE', 'the store of files does not answer; try again soon', {
    reason: 'storage_away',
    headers: { 'retry-after': '5' },
    cause: error,
  })
}
