import { toError } from '../../../../../../client/transport.ts'
import { apiPrefix } from '../session/api-prefix.ts'
import { session } from '../session/session.ts'
import { fetchWithSession } from './client.ts'

export interface DownloadOptions {
  readonly signal: AbortSignal
  /** Called with the progress from 0 to 1; not called if the service does not report the size. */
  readonly onProgress: (part: number) => void
}

/** Downloads a file as a blob, which browsers store on disk if it is large. @throws MortiseError */
export async function download(path: string, { signal, onProgress }: DownloadOptions): Promise<Blob> {
  const headers = { authorization: `Bearer ${await session.token()}` }
  const response = await fetchWithSession(apiPrefix + path, { headers, signal })
  if (!response.ok) throw toError(response, await response.json().catch(() => undefined))
  const size = Number(response.headers.get('content-length') ?? 0)
  if (response.body === null || size === 0) return response.blob()
  let received = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        received += chunk.byteLength
        onProgress(received / size)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted).blob()
}
