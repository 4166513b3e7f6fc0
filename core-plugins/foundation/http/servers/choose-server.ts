import { type Log, StartupError, type StartupProblem } from '../../../../kernel/index.ts'
import type { AdapterChoice } from '../settings.ts'
import { loadNativeServer, nativeServerProblem } from './native-server.ts'
import type { AdapterOptions, ExchangeHandler, ServerAdapter } from './server-port.ts'

/** The server implementation that was chosen. */
export interface ChosenServer {
  readonly name: 'hyper-express' | 'node-http'
  /** Name and version of the native server, if it is the one in use: `uwebsockets 3.0.6`. */
  readonly native?: string
  /** Why the native server is not used; undefined if it was not wanted. */
  readonly problem?: StartupProblem
}

/**
 * The server that `server.adapter` asks for; loads the native one. Its binary is missing on some machines (musl, an
 * old glibc with a newer Node), which use `node:http` instead.
 * @throws StartupError if the native server is required and cannot be loaded
 */
export function chooseServer(choice: AdapterChoice, projectFolder: string): ChosenServer {
  if (choice === 'node-http') return { name: 'node-http' }
  try {
    return { name: 'hyper-express', native: loadNativeServer(projectFolder) }
  } catch (error) {
    const problem = nativeServerProblem(error)
    if (choice === 'auto') return { name: 'node-http', problem }
    throw new StartupError('The service could not start:', [problem], error)
  }
}

/** One line saying why the native server is not used; the problem says what to do about it. */
export const whyNotNative = ({ subject, message }: StartupProblem): string =>
  `node:http serves, several times slower than the native server: ${subject} ${message}`

/** Creates the server that was chosen; the modules of the other one are not loaded. */
export async function createServerAdapter(
  { name, problem }: ChosenServer,
  handle: ExchangeHandler,
  { log, ...options }: AdapterOptions & { log: Log },
): Promise<ServerAdapter> {
  if (problem !== undefined) log.warn({ remedy: problem.remedy }, whyNotNative(problem))
  if (name === 'hyper-express') {
    const { createHyperExpressServer } = await import('./hyper-express-server.ts')
    return createHyperExpressServer(handle, options)
  }
  const { createNodeHttpServer } = await import('./node-http-server.ts')
  return createNodeHttpServer(handle, options)
}
