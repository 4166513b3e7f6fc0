import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type FileDescription, type MediaStorage, StorageFailure } from '../media/media.ts'
import { openBucket } from './bucket.ts'
import { explain, type SettingNames } from './explain.ts'
import type { S3Options } from './settings.ts'

const cacheControl = 'public, max-age=31536000, immutable'

/** Stores files in a bucket. @throws Error if the bucket is unreachable */
export async function openS3Storage(options: S3Options, names: SettingNames): Promise<MediaStorage> {
  const { prefix, publicUrl } = options
  const bucket = openBucket(options)
  await bucket.check().catch((error) => {
    const { text } = explain(error, names)
    throw new Error(`the bucket ${options.bucket} cannot be reached: ${text}`, { cause: error })
  })

  function failure(error: unknown): StorageFailure {
    const { fault, text } = explain(error, names)
    return new StorageFailure(fault, `the bucket ${options.bucket}: ${text}`, error)
  }
  const fail = (error: unknown): never => {
    throw failure(error)
  }

  async function write(key: string, source: Readable, file: FileDescription): Promise<void> {
    const description = {
      ContentType: file.mediaType,
      ContentDisposition: file.disposition,
      CacheControl: cacheControl,
    }
    try {
      await bucket.write(key, source, description)
    } catch (error) {
      // What could not be read is not the store's fault.
      throw error === source.errored ? error : failure(error)
    }
  }

  return {
    write,
    adopt: (key, path, description) => write(key, createReadStream(path), description),
    async stat(key) {
      const size = await bucket.sizeOf(key).catch(fail)
      return size === undefined ? undefined : { size }
    },
    read: (key, range) => bucket.read(key, range).catch(fail),
    delete: (key) => bucket.delete(key).catch(fail),
    ...(publicUrl === undefined ? {} : { locate: async (key: string) => `${publicUrl}/${prefix}${key}` }),
    close: async () => bucket.close(),
  }
}
