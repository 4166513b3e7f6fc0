import { type Config, configService, type Setting } from '../../core-plugins/config/config.ts'
import { type Http, httpService, type Route, routes } from '../../core-plugins/http/http.ts'
import { httpPlugin } from '../../core-plugins/http/plugin.ts'
import {
  createKernel,
  definePlugin,
  type ExtensionPoint,
  type Kernel,
  type Log,
  type Plugin,
  type RegisterContext,
  silentLog,
} from '../../kernel/index.ts'

/** Both servers, so that every test runs on both. */
export const adapters = ['hyper-express', 'node-http'] as const

export interface ServiceOptions {
  readonly adapter: (typeof adapters)[number]
  readonly routes?: readonly Route[]
  /** By key; in place of the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly environment?: 'development' | 'production'
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
  /** Changes a runtime setting, as the panel would. */
  change<T>(setting: Setting<T>, value: T): void
  stop(): Promise<void>
}

/** Starts a service on a free port. */
export async function startService(options: ServiceOptions): Promise<TestService> {
  const values: Record<string, unknown> = {
    'server.port': 0,
    'server.host': '127.0.0.1',
    'server.adapter': options.adapter,
    ...options.settings,
  }
  const { plugin, change } = testConfig(values, options.environment ?? 'development')
  const kernel = createKernel({
    plugins: [plugin, httpPlugin, contributing(options), ...(options.plugins ?? [])],
    log: options.log ?? silentLog,
  })
  await kernel.start()
  const http = kernel.get(httpService)
  return {
    kernel,
    http,
    fetch: (path, init) => fetch(`${http.url}${http.apiPrefix}${path}`, init),
    change,
    stop: () => kernel.stop(),
  }
}

function contributing(options: ServiceOptions) {
  return definePlugin({
    name: 'under-test',
    description: 'Contributes what a test needs',
    register(context) {
      for (const route of options.routes ?? []) context.contribute(routes as ExtensionPoint<Route>, route)
      options.contribute?.(context)
    },
  })
}

function testConfig(values: Record<string, unknown>, environment: 'development' | 'production') {
  const listeners = new Map<string, Set<(value: never) => void>>()
  const config: Config = {
    environment,
    get: <T>(setting: Setting<T>) => (values[setting.key] ?? setting.default) as T,
    sourceOf: (setting) => (setting.key in values ? 'file' : 'default'),
    envNameOf: (setting) => setting.env ?? setting.key,
    onChange(setting, listener) {
      const ofSetting = listeners.get(setting.key) ?? new Set()
      listeners.set(setting.key, ofSetting.add(listener))
      return () => ofSetting.delete(listener)
    },
  }
  const plugin = definePlugin({
    name: 'config',
    description: 'Settings from memory',
    provides: [configService],
    init: ({ provide }) => provide(configService, config),
  })
  const change = <T>(setting: Setting<T>, value: T) => {
    values[setting.key] = value
    for (const listener of listeners.get(setting.key) ?? []) listener(value as never)
  }
  return { plugin, change }
}
