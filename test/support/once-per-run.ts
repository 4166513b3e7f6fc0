import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './until.ts'

/** The folder in which the processes of a run share results; undefined if a test file runs by itself. */
export const runFolder = process.env.TEST_RUN_FOLDER

/**
 * Creates something shared by all processes of a run: the first caller creates it, and all others wait.
 * @param folder `runFolder`
 * @returns the result of `make`, as restored from JSON
 * @throws Error with the reason, in all processes, if it could not be created
 */
export async function oncePerRun<T>(folder: string, name: string, make: () => Promise<T>): Promise<T> {
  const file = join(folder, `${name}.json`)
  if (isFirst(join(folder, name))) writeWhole(file, await make().then((made) => ({ made }), failed))
  await until(() => existsSync(file), `another process has made ${name}`)
  const { made, error } = read<T>(file)
  if (made === undefined) throw new Error(`${name} could not be made: ${error}`)
  return made
}

/** The result of `oncePerRun` in a run; undefined if nothing has requested it, or it failed. */
export function madeInRun<T>(folder: string, name: string): T | undefined {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? read<T>(file).made : undefined
}

const read = <T>(file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as { readonly made?: T; readonly error?: string }

function isFirst(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch {
    return false
  }
}

const failed = (error: unknown) => ({ error: error instanceof Error ? error.stack : String(error) })

/** Writes atomically, so that no reader sees a partial file. */
function writeWhole(file: string, value: object) {
  writeFileSync(`${file}.part`, JSON.stringify(value))
  renameSync(`${file}.part`, file)
}
