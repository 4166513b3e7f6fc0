import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createService } from '../../service.ts'
import { testEnvironment } from '../../testing/environment.ts'
import type { ServerName, ServerUnderTest, TestDatabase } from './databases.ts'
import { oncePerRun, runFolder } from './once-per-run.ts'
import { recordingLog } from './recording-log.ts'

/*
 * Databases as after the first start of a service without content types: with the tables of all core plugins and the first admin.
 * A copy takes a twentieth of the time of creating one, and most tests do not depend on an empty database. Each is created once
 * for all processes of a run; a test file that runs by itself gets an empty one instead.
 */

/** Creates a database with the tables of the core plugins. @throws Error if there is no such server */
export async function createReadyDatabase(name: ServerName): Promise<TestDatabase> {
  const engine = await serverUnderTest(name)
  if (runFolder === undefined) return engine.createUrl()
  const url = await oncePerRun(runFolder, `ready-${name}`, async () => {
    const database = await engine.createUrl()
    await fill(database.url)
    return database.url
  })
  return engine.createCopy(url)
}

/** Creates an empty database. @throws Error if there is no such server */
export async function createEmptyDatabase(name: ServerName): Promise<TestDatabase> {
  return (await serverUnderTest(name)).createUrl()
}

/** Places a database with the tables of the core plugins at a project's database path. */
export async function placeReadySqlite(path: string): Promise<void> {
  const folder = runFolder
  if (folder === undefined) return
  const ready = await oncePerRun(folder, 'ready-sqlite', async () => {
    const file = join(mkdtempSync(join(folder, 'ready-')), 'content.db')
    await fill(`sqlite:${file}`)
    return file
  })
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(ready, path)
}

async function serverUnderTest(name: ServerName): Promise<ServerUnderTest> {
  // Imported late: it looks for servers, which tests on SQLite do not need.
  const { serversUnderTest } = await import('./databases.ts')
  const server = (await serversUnderTest()).find((each) => each.name === name)
  if (server === undefined) throw new Error(`there is no ${name} server for this test`)
  return server
}

/** Starts a service without content types on an empty database, and stops it. */
async function fill(url: string) {
  const workingDirectory = mkdtempSync(join(tmpdir(), 'mortise-ready-'))
  const env = { ...testEnvironment, DATABASE_URL: url }
  const log = { ...recordingLog().log, level: 'info' }
  const kernel = await createService({ env, workingDirectory, log })
  await kernel.start()
  await kernel.stop()
  rmSync(workingDirectory, { recursive: true, force: true })
}
