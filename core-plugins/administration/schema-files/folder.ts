import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../foundation/http/http.ts'
import { readSchemaTexts, type SchemaTexts } from '../../foundation/schemas/schemas.ts'

/** The schema files of the project. */
export interface SchemaFolder {
  /** The present files; empty if the folder does not exist. */
  read(): Promise<SchemaTexts>
  /**
   * Writes files by path, and removes those that are null: all of them, or none.
   * @throws AppError 409 if a link stands in the way, 507 if there is no room
   */
  write(changes: ReadonlyMap<string, string | null>, before: SchemaTexts): Promise<void>
}

export function createSchemaFolder(directory: string): SchemaFolder {
  return {
    async read() {
      try {
        return await readSchemaTexts(directory)
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        return { texts: new Map(), misplaced: [] }
      }
    },
    async write(changes, before) {
      for (const path of changes.keys()) await assertNoLink(directory, path)
      const written = await writeBeside(directory, changes)
      const done: string[] = []
      try {
        for (const [path] of changes) {
          const temporary = written.get(path)
          if (temporary === undefined) await rm(join(directory, path), { force: true })
          else await rename(temporary, join(directory, path))
          done.push(path)
        }
      } catch (error) {
        await takeBack(directory, done, before)
        await removeAll(written.values())
        throw asAnswer(error)
      }
    },
  }
}

/** Identifies the contents of a set of files. */
export function versionOf({ texts }: SchemaTexts): string {
  const hash = createHash('sha256')
  for (const path of [...texts.keys()].sort()) hash.update(JSON.stringify([path, texts.get(path)]))
  return hash.digest('hex').slice(0, 32)
}

/** Refuses links: a linked file or folder must stay linked, and nothing outside the folder may be written. */
async function assertNoLink(directory: string, path: string) {
  const folder = dirname(join(directory, path))
  if (await isLink(join(directory, path))) throw linked(path)
  if (folder === directory || !(await exists(folder))) return
  if (dirname(await realpath(folder)) !== (await realpath(directory))) throw linked(dirname(path))
}

function linked(path: string): AppError {
  return new AppError('CONFLICT', `${path} is a link to elsewhere: change what it leads to`)
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Writes the texts to hidden files beside the real ones, so that they only have to be renamed. */
async function writeBeside(directory: string, changes: ReadonlyMap<string, string | null>) {
  const written = new Map<string, string>()
  try {
    for (const [path, text] of changes) {
      if (text === null) continue
      const folder = dirname(join(directory, path))
      await mkdir(folder, { recursive: true })
      const temporary = join(folder, `.${randomUUID()}.tmp`)
      written.set(path, temporary)
      await writeFile(temporary, text, { flag: 'wx', flush: true })
    }
    return written
  } catch (error) {
    await removeAll(written.values())
    throw asAnswer(error)
  }
}

async function removeAll(paths: Iterable<string>) {
  for (const path of paths) await rm(path, { force: true })
}

async function takeBack(directory: string, paths: readonly string[], { texts }: SchemaTexts) {
  for (const path of paths) {
    const text = texts.get(path)
    if (text === undefined) await rm(join(directory, path), { force: true })
    else await writeFile(join(directory, path), text)
  }
}

function asAnswer(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return AppError.storageFull('the disk of the schema files is full', error)
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error
  const message = 'the service may not write into the folder of the schema files'
  return new AppError('CONFLICT', message, { cause: error })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
