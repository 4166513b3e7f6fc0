import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { statusOf } from './explain.ts'

/** Identifies abandoned uploads: not those of other tools, nor those in progress in any process. */
export interface GivenUp {
  readonly bucket: string
  readonly prefix: string
  /** Whether an object name (without the prefix) is one of ours, since a bucket may be shared. */
  isOurs(name: string): boolean
  /** Longer than any upload takes. */
  readonly olderThanMs: number
}

/**
 * Removes multipart uploads of killed processes: their parts cost money but appear in no listing of objects. Returns the
 * number of uploads.
 */
export async function abortUnfinished(client: S3Client, given: GivenUp): Promise<number> {
  const { bucket, prefix, isOurs, olderThanMs } = given
  const before = Date.now() - olderThanMs
  let [aborted, page] = [0, await pageOf(client, given)]
  for (;;) {
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key.startsWith(prefix) || !isOurs(Key.slice(prefix.length))) continue
      if (Initiated === undefined || Initiated.getTime() >= before) continue
      await abort(client, { Bucket: bucket, Key, UploadId })
      aborted += 1
    }
    if (page.IsTruncated !== true) return aborted
    const next = await pageOf(client, given, page)
    // A store that ignores the markers returns the same page again, without an end.
    if (endsAlike(page, next)) return aborted
    page = next
  }
}

function pageOf(
  client: S3Client,
  { bucket, prefix }: GivenUp,
  last?: ListMultipartUploadsCommandOutput,
): Promise<ListMultipartUploadsCommandOutput> {
  const from = { KeyMarker: last?.NextKeyMarker, UploadIdMarker: last?.NextUploadIdMarker }
  return client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...from }))
}

function endsAlike(
  one: ListMultipartUploadsCommandOutput,
  other: ListMultipartUploadsCommandOutput,
): boolean {
  return one.NextKeyMarker === other.NextKeyMarker && one.NextUploadIdMarker === other.NextUploadIdMarker
}

async function abort(
  client: S3Client,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
) {
  try {
    await client.send(new AbortMultipartUploadCommand(upload))
  } catch (error) {
    // Another process may have removed it in the meantime.
    if (statusOf(error) !== 404) throw error
  }
}
