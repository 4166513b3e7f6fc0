import type { Readable } from 'node:stream'
import { DeleteObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Clients } from './clients.ts'
import { ForeignAnswer } from './explain.ts'

/** Of an upload: so many of them are held in memory at a time, each as large. */
const partsAtOnce = 2
const partBytes = 8 * 1024 * 1024
/** S3 takes 10,000. */
const maxParts = 9_000

/** How an object is written. */
export type ObjectDescription = Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'Body'> & {
  /** In bytes, if known; required above 70 GB. */
  readonly size?: number
}

/** Where an object is. */
export interface ObjectPlace {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Reads `source` to its end; the object is complete when it resolves. Aborted, it rejects once what is under way has ended and
 * nothing of it is left.
 */
export async function uploadObject(
  { asking, sending }: Clients,
  place: ObjectPlace,
  source: Readable,
  { size = 0, ...description }: ObjectDescription,
  signal?: AbortSignal,
): Promise<void> {
  const upload = new Upload({
    client: sending,
    queueSize: partsAtOnce,
    partSize: Math.max(partBytes, Math.ceil(size / maxParts)),
    params: { ...place, ...description, Body: source },
  })
  // Its own abort() rejects at once, and what is under way may still be stored afterwards (aws-sdk-js-v3 5109).
  const stopReading = () => source.destroy(signal?.reason)
  signal?.addEventListener('abort', stopReading)
  try {
    signal?.throwIfAborted()
    const { ETag } = await upload.done()
    if (signal?.aborted) await asking.send(new DeleteObjectCommand(place))
    signal?.throwIfAborted()
    // Each store confirms with it what it has stored; a web server that answers 200 to everything does not.
    if (ETag === undefined) throw new ForeignAnswer('an upload')
  } catch (error) {
    source.destroy()
    throw isUnconfirmedPart(error) ? new ForeignAnswer('an upload') : error
  } finally {
    signal?.removeEventListener('abort', stopReading)
  }
}

/** The SDK has no class for it. */
function isUnconfirmedPart(error: unknown): boolean {
  return error instanceof Error && /^Part \d+ is missing ETag/.test(error.message)
}
