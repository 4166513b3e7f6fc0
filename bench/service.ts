import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call } from './client.ts'
import type { Adapter } from './options.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const script = fileURLToPath(new URL('../launch/start.mjs', import.meta.url))
const email = 'bench@example.com'
const password = randomBytes(16).toString('hex')
const jwtSecret = randomBytes(32).toString('hex')

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly schemasFolder: string
  /** For data and logs. */
  readonly folder: string
  /** By default `auto`, which selects the native server. */
  readonly adapter?: Adapter
  readonly nodeOptions?: readonly string[]
  /** Variables in addition to those of every run. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts Mortise as `npm start` does. */
export function startService({
  databaseUrl,
  schemasFolder,
  folder,
  adapter,
  nodeOptions = [],
  environment = {},
}: ServiceOptions): Promise<ServerProcess> {
  return startServer({
    nodeArguments: [...nodeOptions, script],
    readyPath: '/api/readyz',
    folder,
    logFile: join(folder, 'service.log'),
    environment: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      JWT_SECRET: jwtSecret,
      SVC_SCHEMAS_DIR: schemasFolder,
      SVC_DATA_DIR: join(folder, 'data'),
      DEFAULT_ADMIN_EMAIL: email,
      DEFAULT_ADMIN_PASSWORD: password,
      // The path to the database is measured here; bench/cache.ts measures the cache.
      SVC_PLUGINS_DISABLED: 'cache',
      ...(adapter !== undefined && { SVC_SERVER_ADAPTER: adapter }),
      ...environment,
    },
  })
}

/** The token of the first admin user. */
export async function signIn({ url }: ServerProcess): Promise<string> {
  const login = await call<{ token: string }>({ url, token: '' }, '/api/admin/auth/login', {
    method: 'POST',
    body: { identifier: email, password },
  })
  return login.data.token
}

/**
 * Creates an API token that may write and publish content, upload files and create webhooks; it survives restarts of the service.
 */
export async function createToken(service: ServerProcess, more: readonly string[] = []): Promise<string> {
  const token = await call<{ token: string }>(
    { url: service.url, token: await signIn(service) },
    '/api/admin/api-tokens',
    {
      method: 'POST',
      body: {
        name: 'bench',
        description: 'The benchmark',
        scopes: [
          'content:read',
          'content:write',
          'content:publish',
          'media:write',
          'webhooks:write',
          ...more,
        ],
      },
    },
  )
  return token.data.token
}
