import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { ConfigFile } from '../core-plugins/foundation/config/config.ts'
import type { Extension } from '../core-plugins/panel/extensions/extensions.ts'
import type { ServiceToken } from '../kernel/index.ts'
import { createClient, type TestClient } from './client.ts'
import { testEnvironment } from './environment.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import type { LogLine } from './recording-log.ts'
import { runService } from './run-service.ts'

export interface TestServiceOptions {
  /**
   * A project whose config file, schema files, plugins, routes and themes the service uses. Its `.env`, database and
   * uploads are not used. Default: an empty project.
   */
  readonly projectFolder?: string
  /** Plugins in addition to those of the project, treated alike: routes are below `/api/x/<plugin>`. */
  readonly plugins?: readonly Extension[]
  /** Schema files in place of the project's, by file name: `article.json`, `components/shared.seo.json`. */
  readonly schemas?: Readonly<Record<string, object>>
  /**
   * The same properties as a config file; takes precedence over the project's. If a plugin fails, the start fails.
   */
  readonly config?: ConfigFile
  /** The only environment variables that the service sees, besides those that it needs to start. */
  readonly env?: Readonly<Record<string, string>>
}

/** A service in the test's process, with its own database and folders. */
export interface TestService extends Fixtures {
  /** `http://127.0.0.1:40000`, without the prefix of the API. */
  readonly url: string
  /** A client without credentials. */
  readonly anonymous: TestClient
  /** A client signed in as the first super-admin. */
  readonly admin: TestClient
  /** A client that sends this token, which can come from a sign-in or be an API token. */
  withToken(token: string): TestClient
  /** The log lines, oldest first; grows while the service runs. */
  readonly logLines: readonly LogLine[]
  /**
   * A service that a plugin provides, as with `uses`: `get(contentService)`.
   * @throws Error if no plugin provides it
   */
  get<T>(token: ServiceToken<T>): T
  /** Stops the service and everything it started, and removes its database and files. */
  stop(): Promise<void>
}

/**
 * Starts a service on SQLite and a free port. It does not see the environment of the test run, so tests may run in
 * parallel.
 * @throws StartupError if it cannot start, with all problems of config, schema files and plugins
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { projectFolder, plugins = [], schemas, config = {}, env = {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'mortise-test-'))
  writeSchemas(join(folder, 'schemas'), schemas ?? {})
  const running = await runService({
    workingDirectory: projectFolder === undefined ? folder : resolve(projectFolder),
    env: {
      ...testEnvironment,
      DATABASE_URL: `sqlite:${join(folder, 'content.db')}`,
      SVC_DATA_DIR: join(folder, 'data'),
      STORAGE_UPLOAD_DIR: join(folder, 'uploads'),
      ...(schemas === undefined ? {} : { SVC_SCHEMAS_DIR: join(folder, 'schemas') }),
      ...env,
    },
    config: { strictPlugins: true, ...(projectFolder === undefined ? {} : withoutOthers), ...config },
    extensions: plugins,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  })
  const { kernel, url, apiPrefix, admin, logLines, stop } = running
  return {
    url,
    anonymous: createClient(url),
    admin,
    withToken: (token) => createClient(url, token),
    logLines,
    get: (token) => kernel.get(token),
    ...createFixtures({ url, apiPrefix, admin }),
    stop,
  }
}

/** Keeps tests of a project from using the external services in its config file. */
const withoutOthers = {
  'storage.type': 'local',
  'redis.url': '',
  'email.enabled': false,
}

function writeSchemas(directory: string, schemas: Readonly<Record<string, object>>) {
  mkdirSync(directory)
  for (const [name, schema] of Object.entries(schemas)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(schema))
  }
}
