/** More than any provider returns about a user. */
const maxBytes = 256 * 1024

/** Requests to a provider, and its answers. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>

export interface ProviderRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: RequestInit['body'] | undefined
}

/** A fetch that returns whole responses, refuses large ones, and is aborted by the signal. */
export function limitedFetch(signal: AbortSignal): ProviderFetch {
  return async (url, { method, headers, body: sent = null }) => {
    const response = await fetch(url, { method, headers, body: sent, redirect: 'manual', signal })
    const body = await readAll(response)
    return new Response(body.length === 0 ? null : body, response)
  }
}

async function readAll({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
