import { copyFile, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { MigrationError } from '../migration-error.ts'

/** The folder `wp-content/uploads` of a site, Files outside of it are never read, not even through symbolic links. */
export interface Uploads {
  has(path: string): Promise<boolean>
  /** @throws MigrationError */
  copy(path: string, target: string): Promise<void>
}

/** @throws MigrationError if there is no such folder */
export async function openUploads(folder: string): Promise<Uploads> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw new MigrationError(`there is no folder ${folder}`, { cause: error })
  })

  async function within(path: string): Promise<string | undefined> {
    const found = path.includes('\0') ? undefined : await realpath(resolve(root, path)).catch(() => undefined)
    return found?.startsWith(root + sep) === true && (await stat(found)).isFile() ? found : undefined
  }

  return {
    has: async (path) => (await within(path)) !== undefined,
    async copy(path, target) {
      const found = await within(path)
      if (found === undefined) throw new MigrationError(`there is no file ${path} among the uploads`)
      await copyFile(found, target)
    },
  }
}
