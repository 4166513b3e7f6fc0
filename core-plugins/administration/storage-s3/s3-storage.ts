import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Log, StartupError } from '../../../kernel/index.ts'
import { type FileDescription, type MediaStorage, StorageFailure } from '../../delivery/media/media.ts'
import { type Bucket, openBucket } from './bucket.ts'
import { explain, type SettingNames, statusOf } from './explain.ts'
import type { S3Options } from './settings.ts'

const cacheControl = 'public, max-age=31536000, immutable'

/** Matches the names that the media library gives to files and variants. */
const ownName = /^(variants\/[0-9a-f]{32}\.[a-z0-9]{1,16}\/[\w.-]+|[0-9a-f]{32}(_[a-z]+)?\.[a-z0-9]{1,16})$/

/** Longer than the library waits for an upload. */
const givenUpMs = 24 * 60 * 60_000

/** Stores files in a bucket. @throws StartupError if the bucket cannot be reached, or refuses us */
export async function openS3Storage(
  options: S3Options,
  names: SettingNames,
  log: Log,
): Promise<MediaStorage> {
  const { prefix, publicUrl } = options
  const bucket = openBucket(options)
  await bucket.check().catch((error) => {
    const { problem, remedy } = explain(error, names)
    const message = `is ${options.bucket}, which cannot be used: ${problem}`
    throw new StartupError('Files cannot be stored:', [{ subject: names.bucket, message, remedy }], error)
  })

  function failure(what: string, error: unknown): StorageFailure {
    const { fault, text } = explain(error, names)
    return new StorageFailure(fault, `nothing can be ${what} the bucket ${options.bucket}: ${text}`, error)
  }
  const failing = (what: string) => (error: unknown) => {
    throw failure(what, error)
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
      // A source that could not be read is not a fault of the store.
      throw error === source.errored ? error : failure('written to', error)
    }
  }

  return {
    write,
    adopt: (key, path, description) => write(key, createReadStream(path), description),
    async stat(key) {
      const size = await bucket.sizeOf(key).catch(failing('read from'))
      return size === undefined ? undefined : { size }
    },
    read: (key, range) => bucket.read(key, range).catch(failing('read from')),
    delete: (key) => bucket.delete(key).catch(failing('deleted from')),
    ...(publicUrl === undefined ? {} : { locate: async (key: string) => `${publicUrl}/${prefix}${key}` }),
    removeLeftovers: createUnfinishedRemoval(bucket, log),
    close: async () => bucket.close(),
  }
}

/** Removes unfinished uploads. Some stores cannot list them, and some keys may not; that is logged once. */
function createUnfinishedRemoval(bucket: Bucket, log: Log): () => Promise<void> {
  let isPossible = true
  return async () => {
    if (!isPossible) return
    try {
      const count = await bucket.abortUnfinished((name) => ownName.test(name), givenUpMs)
      if (count > 0)
        log.info({ count }, 'unfinished uploads of killed processes were taken out of the bucket')
    } catch (err) {
      const status = statusOf(err) ?? 0
      isPossible = ![403, 405, 501].includes(status)
      if (isPossible) throw err
      const problem =
        status === 403
          ? 'the key may not list and end unfinished uploads: allow s3:ListBucketMultipartUploads and s3:AbortMultipartUpload, or'
          : 'the store cannot list unfinished uploads: where it does not end them by itself,'
      log.info({ status }, `${problem} let a lifecycle rule of the bucket end them`)
    }
  }
}
