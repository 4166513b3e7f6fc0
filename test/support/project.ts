import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import { testAdmin, testEnvironment } from '../../testing/environment.ts'
import type { AdapterName } from './adapters.ts'
import type { TestDatabase } from './databases.ts'
import { createEmptyDatabase, createReadyDatabase, placeReadySqlite } from './ready-databases.ts'

export interface ProjectOptions {
  /** A new database of this engine (SQLite by default), or an existing one. */
  readonly database?: DialectName | { readonly url: string }
  /** Whether a new database is empty, or has the tables of the core plugins and the first admin already. */
  readonly isFirstStart?: boolean
  /** Content by file name below the schemas directory; the samples in `schemas/` by default. */
  readonly schemas?: Readonly<Record<string, unknown>>
  /** Other files by path, written unchanged. */
  readonly files?: Readonly<Record<string, string>>
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly adapter?: AdapterName
}

/**
 * A folder with everything a service needs, on a free port, isolated from the environment of the test run.
 */
export interface Project {
  readonly workingDirectory: string
  readonly env: Readonly<Record<string, string>>
  /** Writes a file; its path is relative to the working directory. */
  write(path: string, text: string): void
  /** The content of a file. */
  read(path: string): string
  /** Removes the folder and its database. */
  remove(): Promise<void>
}

export const { email: adminEmail, password: adminPassword } = testAdmin

const root = join(import.meta.dirname, '../..')
const sampleSchemas = join(root, 'schemas')

export async function createProject(options: ProjectOptions = {}): Promise<Project> {
  const { schemas, files = {}, env = {}, adapter } = options
  const workingDirectory = mkdtempSync(join(tmpdir(), 'mortise-'))
  const database = await createDatabase(options, workingDirectory)
  const write = (path: string, text: string) => writeFile(join(workingDirectory, path), text)
  for (const [path, text] of Object.entries(files)) write(path, text)
  if (Object.keys(files).length > 0) linkPackage(workingDirectory)
  for (const [path, schema] of Object.entries(schemas ?? {})) {
    write(join('schemas', path), JSON.stringify(schema))
  }
  return {
    workingDirectory,
    write,
    read: (path) => readFileSync(join(workingDirectory, path), 'utf8'),
    env: {
      ...testEnvironment,
      DATABASE_URL: database.url,
      ...(schemas === undefined ? { SVC_SCHEMAS_DIR: sampleSchemas } : {}),
      ...(adapter === undefined ? {} : { SVC_SERVER_ADAPTER: adapter }),
      ...env,
    },
    async remove() {
      await database.drop()
      rmSync(workingDirectory, { recursive: true, force: true })
    },
  }
}

async function createDatabase(options: ProjectOptions, directory: string): Promise<TestDatabase> {
  const { database = 'sqlite', isFirstStart = true } = options
  const keep = async () => undefined
  if (typeof database === 'object') return { url: database.url, drop: keep }
  if (database !== 'sqlite')
    return isFirstStart ? createEmptyDatabase(database) : createReadyDatabase(database)
  const path = join(directory, 'data/content.db')
  if (!isFirstStart) await placeReadySqlite(path)
  return { url: `sqlite:${path}`, drop: keep }
}

/** Links the package, so that scripts of the project can import `mortise/plugin` as if it were installed. */
function linkPackage(directory: string) {
  mkdirSync(join(directory, 'node_modules'), { recursive: true })
  symlinkSync(root, join(directory, 'node_modules/mortise'))
}

function writeFile(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
