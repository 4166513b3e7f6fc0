import { createConfigPlugin, runtimeSettingsService } from '../../core-plugins/foundation/config/config.ts'
import { type Http, httpService, type Route, routes } from '../../core-plugins/foundation/http/http.ts'
import { httpPlugin } from '../../core-plugins/foundation/http/plugin.ts'
import {
  createKernel,
  definePlugin,
  type Kernel,
  type Log,
  type Plugin,
  type RegisterContext,
  silentLog,
} from '../../kernel/index.ts'
import type { AdapterName } from '../support/adapters.ts'

export interface ServiceOptions {
  readonly adapter: AdapterName
  readonly routes?: readonly Route[]
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Log
  readonly plugins?: readonly Plugin[]
  contribute?(context: RegisterContext): void
}

/** A running service of http and the plugins given. */
export interface TestService {
  readonly kernel: Kernel
  readonly http: Http
  /** Fetches a path below the API prefix. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Posts text as JSON. */
  post(path: string, body: string): Promise<Response>
  /** Changes runtime settings, as the panel would. */
  change(values: Readonly<Record<string, unknown>>): void
  stop(): Promise<void>
}

/** Starts a service on a free port. */
export async function startService(options: ServiceOptions): Promise<TestService> {
  const env = { PORT: '0', HOST: '127.0.0.1', SVC_SERVER_ADAPTER: options.adapter, ...options.env }
  const kernel = createKernel({
    plugins: [
      createConfigPlugin({ env, workingDirectory: '.' }),
      httpPlugin,
      contributing(options),
      ...(options.plugins ?? []),
    ],
    log: options.log ?? silentLog,
  })
  await kernel.start()
  const http = kernel.get(httpService)
  const fetchBelow: TestService['fetch'] = (path, init) => fetch(`${http.url}${http.apiPrefix}${path}`, init)
  return {
    kernel,
    http,
    fetch: fetchBelow,
    post: (path, body) =>
      fetchBelow(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    change: (values) => void kernel.get(runtimeSettingsService).replaceDatabaseLayer(values),
    stop: () => kernel.stop(),
  }
}

function contributing(options: ServiceOptions) {
  return definePlugin({
    name: 'under-test',
    description: 'Contributes what a test needs',
    register(context) {
      for (const route of options.routes ?? []) context.contribute(routes, route)
      options.contribute?.(context)
    },
  })
}

/** The JSON of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is checked by the assertions on it
export async function json(response: Response): Promise<any> {
  return response.json()
}
