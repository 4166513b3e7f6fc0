import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forward } from './faulty-store.ts'
import type { S3Store } from './s3-store.ts'

/** A proxy in front of a store that adds what it lacks: it lists unfinished uploads, and takes them back. */
export interface ListingStore {
  readonly url: string
  close(): void
}

/** So that there are several pages. */
const pageSize = 2

/** @param knowsMarkers otherwise it begins each page with the first upload. */
export async function startListingStore(store: S3Store, knowsMarkers = true): Promise<ListingStore> {
  const server = createServer((incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://store')
    const bucket = pathname.split('/')[1] ?? ''
    const uploadId = searchParams.get('uploadId')
    if (incoming.method === 'GET' && searchParams.has('uploads')) {
      if (!knowsMarkers) searchParams.delete('key-marker')
      outgoing.end(listing(store, bucket, searchParams))
    } else if (incoming.method === 'DELETE' && uploadId !== null) {
      store.abort(bucket, uploadId)
      outgoing.writeHead(204).end()
    } else forward(store.url, incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function listing(store: S3Store, bucket: string, query: URLSearchParams): string {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('key-marker') ?? '']
  const found = store
    .uploads(bucket)
    .filter(({ key }) => key.startsWith(prefix) && key > after)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const page = found.slice(0, pageSize)
  const uploads = page.map(
    ({ key, uploadId, initiated }) =>
      `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><Bucket>${bucket}</Bucket>
    <NextKeyMarker>${page.at(-1)?.key ?? ''}</NextKeyMarker><IsTruncated>${found.length > pageSize}</IsTruncated>
    ${uploads.join('')}</ListMultipartUploadsResult>`
}
