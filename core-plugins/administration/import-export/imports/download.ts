import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Agent, Response } from 'undici'
import { anySignal } from '../../../../kernel/index.ts'
import { type AddressGuard, RefusedAddressError } from '../../../foundation/outgoing/outgoing.ts'

/** Downloads files of other services. */
export interface Downloads {
  /** Writes the file to a path. @throws DownloadError, or the signal's reason */
  fetch(url: string, path: string, options: DownloadOptions): Promise<void>
  close(): Promise<void>
}

export interface DownloadOptions {
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

/** Why a file could not be downloaded. The message reveals nothing of the response. */
export class DownloadError extends Error {}

const defaultTimeoutMs = 60_000
const maxRedirects = 5

/** `guard` checks the addresses of connections; a download may take `timeoutMs`. */
export function createDownloads(guard: AddressGuard, timeoutMs = defaultTimeoutMs): Downloads {
  let opened: Promise<Agent> | undefined
  const agent = () => {
    opened ??= import('undici').then(
      ({ Agent }) => new Agent({ connect: { lookup: guard.lookup } as object }),
    )
    return opened
  }
  return {
    async fetch(url, path, { maxBytes, signal }) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const limit = anySignal(timeout, signal)
      try {
        const { body } = await follow(new URL(url), { guard, agent: await agent(), signal: limit })
        if (body === null) throw new DownloadError('the answer is empty')
        await pipeline(body, atMost(maxBytes), createWriteStream(path, { mode: 0o600 }), { signal: limit })
      } catch (error) {
        signal?.throwIfAborted()
        if (timeout.aborted) throw new DownloadError(`it took longer than ${timeoutMs} ms`, { cause: error })
        throw error instanceof DownloadError ? error : new DownloadError(reasonOf(error), { cause: error })
      }
    },
    async close() {
      await (await opened)?.destroy()
    },
  }
}

interface Following {
  readonly guard: AddressGuard
  readonly agent: Agent
  readonly signal: AbortSignal
}

/** Follows redirects; the guard checks each of their addresses. */
async function follow(first: URL, { guard, agent, signal }: Following): Promise<Response> {
  const { fetch } = await import('undici')
  let url = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    if (!['http:', 'https:'].includes(url.protocol))
      throw new DownloadError('only http and https are fetched')
    guard.checkHost(url.hostname.replace(/^\[|\]$/g, ''))
    const response = await fetch(url, { dispatcher: agent, redirect: 'manual', signal })
    if (response.ok) return response
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) {
      throw new DownloadError(`the server answered ${response.status}`)
    }
    url = new URL(location, url)
  }
  throw new DownloadError(`there are more than ${maxRedirects} redirects`)
}

function atMost(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes)
        done(new DownloadError(`the file is larger than ${maxBytes} bytes (media.maxFileSize)`))
      else done(null, chunk)
    },
  })
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof RefusedAddressError) return cause.message
  return 'the server cannot be reached'
}
