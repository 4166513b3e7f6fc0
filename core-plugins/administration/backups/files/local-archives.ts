import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveStore } from './archive-store.ts'

/** Large chunks, since the disk is the bottleneck. */
const chunkBytes = 256 * 1024

/** Stores backups in a folder on the same file system as the files that it takes over. */
export function openLocalArchives(directory: string): ArchiveStore {
  const pathOf = (name: string) => join(directory, name)
  return {
    place: 'the folder of backups; processes on several machines have to share that folder',
    pathOf,
    async keep(path, name) {
      await flush(path)
      await rename(path, pathOf(name))
      await flush(directory)
    },
    async sizeOf(name) {
      return (await stat(pathOf(name)).catch(orNone))?.size
    },
    async read(name) {
      const file = await open(pathOf(name)).catch(orNone)
      return file && createReadStream('', { fd: file, highWaterMark: chunkBytes })
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

function orNone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** A file reported as complete must survive a power cut. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
