import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder for uploads until they are complete and checked. Several processes may share it. */
export interface Spool {
  /** A path that is not in use. */
  newPath(): string
  remove(paths: readonly string[]): Promise<void>
  /** Removes files of processes that were killed. */
  removeLeftovers(): Promise<void>
}

/** The upload of a file without a write for this long is over. */
const abandonedAfterMs = 60 * 60_000

/** @throws Error if the folder cannot be made */
export async function openSpool(directory: string): Promise<Spool> {
  await mkdir(directory, { recursive: true })

  async function removeIfAbandoned(name: string): Promise<void> {
    const path = join(directory, name)
    // Another process may have removed the file in the meantime.
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }

  return {
    newPath: () => join(directory, randomBytes(16).toString('hex')),
    async remove(paths) {
      await Promise.all(paths.map((path) => rm(path, { force: true })))
    },
    async removeLeftovers() {
      for (const name of await readdir(directory)) await removeIfAbandoned(name)
    },
  }
}
