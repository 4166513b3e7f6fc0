import type { Log } from '../../kernel/index.ts'
import { assertKnownNative } from './check-native.ts'
import {
  type AdapterOptions,
  type ExchangeHandler,
  maxHeaderBytes,
  type ServerAdapter,
} from './server-port.ts'
import type { AdapterChoice } from './settings.ts'

/**
 * Creates the server that `server.adapter` asks for. Loads adapter modules lazily, as the native binary of
 * uWebSockets.js is missing on some machines (musl, an old glibc with a newer Node).
 */
export async function createServerAdapter(
  choice: AdapterChoice,
  handle: ExchangeHandler,
  { log, ...options }: AdapterOptions & { log: Log },
): Promise<ServerAdapter> {
  if (choice === 'node-http') return createNodeServer(handle, options)
  try {
    assertKnownNative()
    process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(maxHeaderBytes)
    const { createHyperExpressServer } = await import('./hyper-express-server.ts')
    return createHyperExpressServer(handle, options)
  } catch (error) {
    if (choice === 'hyper-express') throw error
    log.warn(
      { err: error },
      'uWebSockets.js is not used: it does not load on this machine, or is not what it should be; serving through node:http instead',
    )
    return createNodeServer(handle, options)
  }
}

async function createNodeServer(handle: ExchangeHandler, options: AdapterOptions): Promise<ServerAdapter> {
  const { createNodeHttpServer } = await import('./node-http-server.ts')
  return createNodeHttpServer(handle, options)
}
