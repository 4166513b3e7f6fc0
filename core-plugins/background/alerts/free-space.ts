import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The free space of a directory, or of where it will be created, in bytes. */
export async function freeSpaceOf(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(directory)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error
    return freeSpaceOf(parent)
  }
}
