import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the files of backups are. Several processes may share it. */
export interface ArchiveFolder {
  pathOf(fileName: string): string
  /** Opens the way for a new file, which is nobody else's. */
  newPartial(): Promise<string>
  /** A name that is nobody else's, for a file that is to be kept. It is written down first, so that no file is lost sight of. */
  newName(): string
  /** Gives a complete file its name. */
  keep(partial: string, name: string): Promise<void>
  /** Does nothing where there is no such file. */
  remove(path: string): Promise<void>
  /** Removes what processes left behind that were killed. */
  sweep(): Promise<void>
}

const partialSuffix = '.partial'
/** Nobody has written to a file for so long: its backup or upload is over. */
const abandonedAfterMs = 6 * 60 * 60_000

export function createArchiveFolder(directory: string): ArchiveFolder {
  const pathOf = (fileName: string) => join(directory, fileName)

  async function removeIfAbandoned(name: string): Promise<void> {
    // Another process may have removed it just now.
    const found = await stat(pathOf(name)).catch(() => undefined)
    const isOld = found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs
    if (isOld) await rm(pathOf(name), { force: true })
  }

  return {
    pathOf,
    async newPartial() {
      await mkdir(directory, { recursive: true })
      return pathOf(`${randomBytes(12).toString('hex')}${partialSuffix}`)
    },
    newName() {
      const moment = new Date().toISOString().replace(/[:.]/g, '-')
      return `backup-${moment}-${randomBytes(6).toString('hex')}.tar`
    },
    async keep(partial, name) {
      await flush(partial)
      await rename(partial, pathOf(name))
      await flush(directory)
    },
    async remove(path) {
      await rm(path, { force: true })
    },
    async sweep() {
      const names = await readdir(directory).catch(() => [])
      for (const name of names) {
        // Complete files without a record stay: the database may be new, and they all that is left of the old one.
        if (name.endsWith(partialSuffix) || name.endsWith(`${partialSuffix}.sums`))
          await removeIfAbandoned(name)
      }
    },
  }
}

/** What is told to be complete must be there after a power cut. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
