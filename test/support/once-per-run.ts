import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './until.ts'

/** Where the processes of a run find what one of them has made for all; undefined where a file runs by itself. */
export const runFolder = process.env.TEST_RUN_FOLDER

/**
 * Makes what all processes of a run share: the first one that asks makes it, and all others wait for that.
 * @param folder `runFolder`
 * @returns what `make` has returned, as JSON keeps it
 * @throws Error with the reason, in all processes, if it could not be made
 */
export async function oncePerRun<T>(folder: string, name: string, make: () => Promise<T>): Promise<T> {
  const file = join(folder, `${name}.json`)
  if (isFirst(join(folder, name))) writeWhole(file, await make().then((made) => ({ made }), failed))
  await until(() => existsSync(file), `another process has made ${name}`)
  const { made, error } = read<T>(file)
  if (made === undefined) throw new Error(`${name} could not be made: ${error}`)
  return made
}

/** What `oncePerRun` has made in a run; undefined if nobody has asked for it, or it could not be made. */
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

/** Nobody reads one half of it. */
function writeWhole(file: string, value: object) {
  writeFileSync(`${file}.part`, JSON.stringify(value))
  renameSync(`${file}.part`, file)
}
