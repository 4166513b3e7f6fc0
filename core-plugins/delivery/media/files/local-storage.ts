import { randomBytes } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { copyFile, lstat, mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MediaStorage } from '../storage.ts'

/** Within the upload directory, so that a complete file only has to be renamed. */
const spoolName = '.incoming'

/** How often creating a folder is tried, since another process may remove it at the same time. */
const attempts = 5

const readingNoLink = constants.O_RDONLY | constants.O_NOFOLLOW

/** Keeps files in a folder of this machine, which several processes may share. Symbolic links in it are not followed. */
export async function openLocalStorage(directory: string): Promise<MediaStorage> {
  const spoolDirectory = join(directory, spoolName)
  await mkdir(spoolDirectory, { recursive: true })
  const pathOf = (key: string) => join(directory, key)

  return {
    spoolDirectory,
    async write(key, source) {
      const partial = join(spoolDirectory, `${randomBytes(16).toString('hex')}.partial`)
      try {
        await pipeline(source, createWriteStream(partial, { flags: 'wx', flush: true }))
        await move(partial, pathOf(key))
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async adopt(key, path) {
      await flush(path)
      await move(path, pathOf(key)).catch((error) => copyOver(error, path, pathOf(key)))
    },
    async stat(key) {
      const found = await orMissing(() => lstat(pathOf(key)))
      return found?.isFile() ? { size: found.size } : undefined
    },
    async read(key, range) {
      return orMissing(async () => (await open(pathOf(key), readingNoLink)).createReadStream(range))
    },
    async delete(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      // Fails if the folder is not empty or another file is being moved to it.
      if (dirname(path) !== directory) await rmdir(dirname(path)).catch(() => undefined)
    },
  }
}

/** Creates the target folder if it is missing; a folder is removed with its last file, perhaps in between. */
async function move(from: string, to: string): Promise<void> {
  for (let left = attempts; ; left--) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || left === 0) throw error
      await mkdir(dirname(to), { recursive: true })
    }
  }
}

/** A confirmed upload must survive a power cut, as its database record does. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file on another file system cannot be renamed, so it is copied. */
async function copyOver(error: unknown, from: string, to: string): Promise<void> {
  if (!hasCode(error, 'EXDEV')) throw error
  const partial = `${to}.partial`
  try {
    await copyFile(from, partial)
    await flush(partial)
    await rename(partial, to)
  } catch (failure) {
    await rm(partial, { force: true })
    throw failure
  }
}

async function orMissing<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    // ELOOP is the error for symbolic links.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}
