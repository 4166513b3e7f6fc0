import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import type { ByteRange } from '../../delivery/media/media.ts'
import { openClients } from './clients.ts'
import { ForeignAnswer, statusOf } from './explain.ts'
import type { S3Options } from './settings.ts'
import { abortUnfinished } from './unfinished-uploads.ts'
import { type ObjectDescription, uploadObject } from './upload-object.ts'

/** How long a bucket counts as available after it was last reached. */
const seenMs = 2_000

/** The objects below the prefix of a bucket. Errors are those of the SDK, of `silence.ts` and of `explain.ts`; see `explain`. */
export interface Bucket {
  /**
   * Reads `source` to its end; the object is complete when it resolves. When aborted, it rejects after running requests have
   * ended and nothing of the object is left.
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
  /** Removes unfinished uploads of killed processes, limited to our object names; returns their number. */
  abortUnfinished(isOurs: (name: string) => boolean, olderThanMs: number): Promise<number>
  close(): void
}

export function openBucket(options: S3Options): Bucket {
  const { bucket, prefix } = options
  const clients = openClients(options)
  const { asking } = clients
  const place = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })
  let seenAt = Number.NEGATIVE_INFINITY

  async function check(): Promise<void> {
    try {
      await asking.send(new HeadBucketCommand({ Bucket: bucket }))
    } catch (error) {
      if (statusOf(error) === undefined) throw error
      // A response to HEAD contains only a status; a response to GET contains the reason.
      await asking.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }))
    }
    seenAt = performance.now()
  }

  /** A response to HEAD does not distinguish a missing object from a missing bucket. */
  async function sizeOf(key: string): Promise<number | undefined> {
    const found = await orMissing(asking.send(new HeadObjectCommand(place(key))))
    if (found === undefined) {
      if (performance.now() - seenAt > seenMs) await check()
      return undefined
    }
    // If it were treated as an empty file, clients would cache that for a year.
    if (found.ETag === undefined || found.ContentLength === undefined) throw new ForeignAnswer('a read')
    seenAt = performance.now()
    return found.ContentLength
  }

  return {
    sizeOf,
    check,
    write: (key, source, description, signal) =>
      uploadObject(clients, place(key), source, description, signal),
    async read(key, range) {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const found = await orMissing(asking.send(new GetObjectCommand({ ...place(key), ...part })))
      const body = found?.Body as Readable | undefined
      if (found === undefined || found.ETag !== undefined) return body
      body?.destroy()
      throw new ForeignAnswer('a read')
    },
    async delete(key) {
      await orMissing(asking.send(new DeleteObjectCommand(place(key))))
    },
    abortUnfinished: (isOurs, olderThanMs) =>
      abortUnfinished(asking, { bucket, prefix, isOurs, olderThanMs }),
    close: clients.close,
  }
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
