import type { Readable } from 'node:stream'
import { DeleteObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Clients } from './clients.ts'
import { ForeignAnswer } from './explain.ts'

/** The number of parts of an upload that are in memory at a time. */
const partsAtOnce = 2
const partBytes = 8 * 1024 * 1024
/** Below the limit of S3, which is 10,000. */
const maxParts = 9_000

/** The properties of an object to be written. */
export type ObjectDescription = Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'Body'> & {
  /** In bytes, if known; required above 70 GB. */
  readonly size?: number
}

/** The location of an object. */
export interface ObjectPlace {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Reads `source` to its end; the object is complete when it resolves. When aborted, it rejects after running requests have
 * ended and nothing of the object is left.
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
  // The SDK's own abort() rejects at once, and parts in progress may still be stored afterwards (aws-sdk-js-v3 5109).
  const stopReading = () => source.destroy(signal?.reason)
  signal?.addEventListener('abort', stopReading)
  try {
    signal?.throwIfAborted()
    const { ETag } = await upload.done()
    if (signal?.aborted) await asking.send(new DeleteObjectCommand(place))
    signal?.throwIfAborted()
    // Every S3 store confirms an upload with an ETag; a web server that answers everything with 200 does not.
    if (ETag === undefined) throw new ForeignAnswer('an upload')
  } catch (error) {
    source.destroy()
    throw isUnconfirmedPart(error) ? new ForeignAnswer('an upload') : error
  } finally {
    signal?.removeEventListener('abort', stopReading)
  }
}

/** The SDK has no class for this error. */
function isUnconfirmedPart(error: unknown): boolean {
  return error instanceof Error && /^Part \d+ is missing ETag/.test(error.message)
}
