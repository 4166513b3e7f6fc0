import { type Log, nativePackageProblem } from '../../kernel/index.ts'
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
      `node:http serves, several times slower than the native server: ${whyNot(error)}`,
    )
    return createNodeServer(handle, options)
  }
}

/** In a line: uWebSockets.js lists all that it tried. */
function whyNot(error: unknown): string {
  const { message } = error as Error
  const problem = nativePackageProblem(error)
  if (problem !== undefined) return `${problem.subject} ${problem.message}`
  if (/Cannot find module/.test(message))
    return `uWebSockets.js has no binary for Node.js ${process.versions.node} on ${process.platform} ${process.arch}`
  return message.split('\n', 1)[0] ?? message
}

async function createNodeServer(handle: ExchangeHandler, options: AdapterOptions): Promise<ServerAdapter> {
  const { createNodeHttpServer } = await import('./node-http-server.ts')
  return createNodeHttpServer(handle, options)
}
