import { IncomingMessage } from 'node:http'
import { S3Client } from '@aws-sdk/client-s3'
import type { S3Options } from './settings.ts'
import { limitSilence, StoreSilence } from './silence.ts'

/** The time limit for silence in bodies, as a multiple of the limit for the first byte. */
const patience = 4

/** Connections to a store, with time limits for its responses. */
export interface Clients {
  /** Sends requests without bodies. */
  readonly asking: S3Client
  /** Sends bodies, which may take any time as long as data flows. */
  readonly sending: S3Client
  close(): void
}

export function openClients(options: S3Options): Clients {
  const { timeoutMs } = options
  const silenceMs = timeoutMs * patience
  const [asking, sending] = [
    // No time limit for silent sockets, which would end responses to slow readers. No limit of their number either, since each
    // slow reader occupies one: with the SDK's limit of 50, the next request would be queued and seem unanswered.
    createClient(options, {
      ...{ requestTimeout: timeoutMs, throwOnRequestTimeout: true, socketTimeout: 0 },
      ...{ httpAgent: manySockets, httpsAgent: manySockets },
    }),
    createClient(options, { socketTimeout: silenceMs }),
  ]
  noticeSilence(asking, timeoutMs, silenceMs)
  noticeSilence(sending, silenceMs)
  return {
    asking,
    sending,
    close() {
      asking.destroy()
      sending.destroy()
    },
  }
}

const manySockets = { maxSockets: Number.POSITIVE_INFINITY }

interface Limits {
  readonly requestTimeout?: number
  readonly throwOnRequestTimeout?: boolean
  readonly socketTimeout: number
  readonly httpAgent?: typeof manySockets
  readonly httpsAgent?: typeof manySockets
}

function createClient(
  { region, endpoint, forcePathStyle, credentials, timeoutMs }: S3Options,
  limits: Limits,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    requestHandler: { connectionTimeout: timeoutMs, ...limits },
    // Stores other than Amazon do not support the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  })
}

/**
 * Distinguishes silence from other errors in each attempt, at the transport level. `bodyMs` also limits the silence of bodies.
 */
function noticeSilence(client: S3Client, timeoutMs: number, bodyMs?: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        const result = await next(args)
        const { body } = result.response as { body?: unknown }
        if (bodyMs !== undefined && body instanceof IncomingMessage) limitSilence(body, bodyMs)
        return result
      } catch (error) {
        throw isTimeout(error) ? new StoreSilence(timeoutMs) : error
      }
    },
    { name: 'noticeSilence', step: 'deserialize', priority: 'low' },
  )
}

/** The transport uses the same error name for lost connections. */
function isTimeout(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException
  return name === 'TimeoutError' && (code === undefined || code === 'ETIMEDOUT')
}
