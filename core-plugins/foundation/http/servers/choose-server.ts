import { type Log, StartupError, type StartupProblem } from '../../../../kernel/index.ts'
import type { AdapterChoice } from '../settings.ts'
import { loadNativeServer, nativeServerProblem } from './native-server.ts'
import type { AdapterOptions, ExchangeHandler, ServerAdapter } from './server-port.ts'

/** What serves. */
export interface ChosenServer {
  readonly name: 'hyper-express' | 'node-http'
  /** What the native server is, where it serves: `uwebsockets 3.0.6`. */
  readonly native?: string
  /** Why it does not; undefined where nobody has asked for it. */
  readonly problem?: StartupProblem
}

/**
 * The server that `server.adapter` asks for, the native one loaded. Its binary is missing on some machines (musl, an old
 * glibc with a newer Node), which `node:http` serves then.
 * @throws StartupError if nothing but the native server will do, and it cannot be loaded
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

/** In a line, why the native server does not serve; what to do about it is in the problem. */
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
