import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { translatedFile } from '../../core-plugins/foundation/config/config.ts'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import type { Adapter } from '../options.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { fillMysql } from './mysql-data.ts'
import { fillPostgres } from './postgres-data.ts'
import { fillSqlite } from './sqlite-data.ts'
import type { FloorData } from './store.ts'

const scripts: Readonly<Record<Adapter, string>> = {
  'hyper-express': fileURLToPath(new URL('./uws-server.ts', import.meta.url)),
  'node-http': fileURLToPath(new URL('./node-http-server.ts', import.meta.url)),
}

const fillers: Readonly<Record<DialectName, (url: string, data: FloorData) => unknown>> = {
  sqlite: (url, data) => fillSqlite(url.slice('sqlite:'.length), data),
  postgres: fillPostgres,
  mysql: fillMysql,
}

/** Creates the floor's own tables in an empty database and fills them with the service's entries. */
export async function fillFloor(dialect: DialectName, url: string, data: FloorData): Promise<void> {
  await fillers[dialect](url, data)
}

export interface FloorOptions {
  readonly token: string
  /** The folder for its log. */
  readonly folder: string
  /** Whether it sends the service's headers. */
  readonly withHeaders: boolean
  readonly adapter: Adapter
}

/** Starts the floor on tables filled before. */
export const startFloor = (
  databaseUrl: string,
  { token, folder, withHeaders, adapter }: FloorOptions,
): Promise<ServerProcess> =>
  startServer({
    nodeArguments: [...process.execArgv, translatedFile(scripts[adapter])],
    readyPath: '/ready',
    folder,
    logFile: join(folder, 'floor.log'),
    environment: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      FLOOR_TOKEN: token,
      FLOOR_HEADERS: withHeaders ? 'all' : 'least',
    },
  })
