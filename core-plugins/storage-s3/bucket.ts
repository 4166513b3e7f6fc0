import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { ByteRange } from '../media/media.ts'
import type { S3Options } from './settings.ts'

/** Of an upload: so many of them are held in memory at a time, each as large. */
const partsAtOnce = 2
const partBytes = 8 * 1024 * 1024
/** S3 takes 10,000. */
const maxParts = 9_000

/** A store that does not respond for this long is considered down. */
const silenceMs = 60_000
const connectMs = 10_000

/** How an object is written. */
export type ObjectDescription = Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'Body'> & {
  /** In bytes, if known; required above 70 GB. */
  readonly size?: number
}

/** The objects below the prefix of a bucket. Errors are those of the SDK (see `reasonOf`). */
export interface Bucket {
  /**
   * Reads `source` to its end; the object is complete when it resolves. Aborted, it rejects once what is under way has ended and
   * nothing of it is left.
   */
  write(key: string, source: Readable, description: ObjectDescription, signal?: AbortSignal): Promise<void>
  /** Undefined if there is no such object. */
  sizeOf(key: string): Promise<number | undefined>
  /** Undefined if there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Does nothing if there is no such object. */
  delete(key: string): Promise<void>
  /** Rejects if the bucket is unreachable. */
  check(): Promise<void>
  close(): void
}

export function openBucket(options: S3Options): Bucket {
  const { bucket, prefix } = options
  const client = createClient(options)
  const place = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })

  return {
    async write(key, source, { size = 0, ...description }, signal) {
      const upload = new Upload({
        client,
        queueSize: partsAtOnce,
        partSize: Math.max(partBytes, Math.ceil(size / maxParts)),
        params: { ...place(key), ...description, Body: source },
      })
      // Its own abort() rejects at once, and what is under way may still be stored afterwards (aws-sdk-js-v3 5109).
      const stopReading = () => source.destroy(signal?.reason)
      signal?.addEventListener('abort', stopReading)
      try {
        signal?.throwIfAborted()
        await upload.done()
        if (signal?.aborted) await client.send(new DeleteObjectCommand(place(key)))
        signal?.throwIfAborted()
      } catch (error) {
        source.destroy()
        throw error
      } finally {
        signal?.removeEventListener('abort', stopReading)
      }
    },
    async sizeOf(key) {
      const found = await orMissing(client.send(new HeadObjectCommand(place(key))))
      return found === undefined ? undefined : (found.ContentLength ?? 0)
    },
    async read(key, range) {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const found = await orMissing(client.send(new GetObjectCommand({ ...place(key), ...part })))
      return found?.Body as Readable | undefined
    },
    async delete(key) {
      await orMissing(client.send(new DeleteObjectCommand(place(key))))
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    },
    close: () => client.destroy(),
  }
}

function createClient({ region, endpoint, forcePathStyle, credentials }: S3Options): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    // Stores other than Amazon do not support the checksums that the SDK adds by default.
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
    const isBucketMissing = error instanceof Error && error.name === 'NoSuchBucket'
    if (statusOf(error) === 404 && !isBucketMissing) return undefined
    throw error
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

/** Explains an error of a store and names the settings to check; `names` are the names of settings. */
export function reasonOf(error: unknown, names: SettingNames): string {
  const status = statusOf(error)
  // The response to a HEAD has no body, so the SDK knows only the status.
  const text = error instanceof Error ? error.message : String(error)
  if (status === undefined) return `${text || 'it does not answer'}; look at ${names.endpoint}`
  return `the store answered ${status} (${text}); look at ${namesFor(status, names)}`
}

/** As an operator sets them. */
export interface SettingNames {
  readonly bucket: string
  readonly endpoint: string
  readonly credentials: string
}

function namesFor(status: number, { bucket, endpoint, credentials }: SettingNames): string {
  if (status === 404) return bucket
  return status === 400 || status === 401 || status === 403 ? credentials : endpoint
}
