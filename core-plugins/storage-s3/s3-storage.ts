import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError } from '../http/http.ts'
import type { FileDescription, MediaStorage } from '../media/media.ts'
import type { S3Options } from './settings.ts'

/** Of an upload: so many of them are held in memory at a time, each as large. */
const partsAtOnce = 2
const partBytes = 8 * 1024 * 1024

const cacheControl = 'public, max-age=31536000, immutable'

/** Keeps files in a bucket. @throws Error if the bucket cannot be reached */
export async function openS3Storage(options: S3Options): Promise<MediaStorage> {
  const { bucket, prefix, publicUrl } = options
  const client = createClient(options)
  await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error) => {
    throw new Error(`the bucket ${bucket} cannot be reached: ${reasonOf(error)}`, { cause: error })
  })
  const place = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })

  async function upload(key: string, source: Readable, file: FileDescription): Promise<void> {
    const upload = new Upload({
      client,
      queueSize: partsAtOnce,
      partSize: partBytes,
      params: {
        ...place(key),
        Body: source,
        ContentType: file.mediaType,
        ContentDisposition: file.disposition,
        CacheControl: cacheControl,
      },
    })
    try {
      await upload.done()
    } catch (error) {
      source.destroy()
      throw unavailable(error)
    }
  }

  return {
    write: upload,
    adopt: (key, path, description) => upload(key, createReadStream(path), description),
    async stat(key) {
      const found = await orMissing(client.send(new HeadObjectCommand(place(key))))
      return found === undefined ? undefined : { size: found.ContentLength ?? 0 }
    },
    async read(key, range) {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const found = await orMissing(client.send(new GetObjectCommand({ ...place(key), ...part })))
      return found?.Body as Readable | undefined
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(place(key)))
    },
    ...(publicUrl === undefined ? {} : { locate: async (key: string) => `${publicUrl}/${prefix}${key}` }),
    async close() {
      client.destroy()
    },
  }
}

function createClient({ region, endpoint, forcePathStyle, credentials }: S3Options): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    // Stores other than Amazon do not know the checksums that the SDK adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  })
}

async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw unavailable(error)
  }
}

/** Nothing is wrong with the request, nor with this service. */
function unavailable(error: unknown): AppError {
  return new AppError('UNAVAILABLE', 'the store of files does not answer; try again soon', {
    headers: { 'retry-after': '5' },
    cause: error,
  })
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

/** The answer to a HEAD has no body, so the SDK knows the status only. */
function reasonOf(error: unknown): string {
  const status = statusOf(error)
  const text = error instanceof Error ? error.message : String(error)
  return status === undefined ? text : `the store answered ${status} (${text})`
}
