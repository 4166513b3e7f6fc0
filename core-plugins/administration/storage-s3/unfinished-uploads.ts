import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { statusOf } from './explain.ts'

/** Which uploads were abandoned: not those of other tools, nor those under way in any process. */
export interface GivenUp {
  readonly bucket: string
  readonly prefix: string
  /** Whether we name objects so, without the prefix: a bucket may be shared. */
  isOurs(name: string): boolean
  /** Longer than any upload takes. */
  readonly olderThanMs: number
}

/**
 * Takes back uploads in parts that a process had begun when it was killed: no listing of objects shows their parts, which are
 * paid for. Returns how many there were.
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
    // A store that does not know the markers answers the same page again, and would do so without an end.
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
    // Another process was faster.
    if (statusOf(error) !== 404) throw error
  }
}
