import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where uploads lie until they are complete and checked. Processes may share it. */
export interface Spool {
  /** A path that is nobody else's. */
  newPath(): string
  remove(paths: readonly string[]): Promise<void>
  /** Removes what processes left behind that were killed. */
  removeLeftovers(): Promise<void>
}

/** Nobody has written to a file for so long: its upload is over. */
const abandonedAfterMs = 60 * 60_000

/** @throws Error if the folder cannot be made */
export async function openSpool(directory: string): Promise<Spool> {
  await mkdir(directory, { recursive: true })

  async function removeIfAbandoned(name: string): Promise<void> {
    const path = join(directory, name)
    // Another process may have removed it just now.
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
