import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cleanup } from './cleanup.ts'
import { analyzeDatabase, createDatabase } from './database.ts'
import { fillService, fillTargets } from './fill.ts'
import { insertArticles, madeArticles } from './fill-sql.ts'
import type { FloorData } from './floor/store.ts'
import type { LoadTarget } from './load.ts'
import type { BenchOptions } from './options.ts'
import { createToken, type ServiceOptions, startService } from './service.ts'

/** The folder of the schemas that the benchmarks use. */
export const schemasFolder = fileURLToPath(new URL('./schemas/', import.meta.url))

/** The limit for creating articles through the API; more would take too long. */
const mostRowsOverRest = 20_000

/** The database, and how many articles it gets. */
export type Filling = Pick<BenchOptions, 'database' | 'rows'> & Partial<Pick<BenchOptions, 'adapter'>>

/** A temporary folder and a filled database, with the service not running. */
export interface Workspace {
  readonly folder: string
  readonly service: ServiceOptions
  readonly token: string
  /** The content of the database. */
  readonly data: FloorData
}

export async function createFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-bench-'))
  cleanup.add(() => rm(folder, { recursive: true }))
  return folder
}

/** Creates a database, fills it through the service (by SQL if that would take too long) and stops the service. */
export async function createWorkspace(options: Filling, cleanup: Cleanup): Promise<Workspace> {
  const folder = await createFolder(cleanup)
  const database = await createDatabase(options.database, folder)
  cleanup.add(database.drop)
  const { adapter } = options
  const serviceOptions: ServiceOptions = {
    ...{ databaseUrl: database.url, schemasFolder, folder },
    ...(adapter !== undefined && { adapter }),
  }
  const service = await startService(serviceOptions)
  try {
    const token = await createToken(service)
    const target = { url: service.url, token }
    const isOverRest = options.rows <= mostRowsOverRest
    const data = await (isOverRest
      ? fillService(target, options.rows)
      : fillDatabase(target, options, database.url))
    await analyzeDatabase(options.database, database.url)
    return { folder, service: serviceOptions, token, data }
  } finally {
    await service.stop()
  }
}

async function fillDatabase(target: LoadTarget, { rows }: Filling, url: string): Promise<FloorData> {
  const targets = await fillTargets(target)
  const articles = madeArticles(rows)
  await insertArticles(articles, url)
  return { ...targets, articles }
}
