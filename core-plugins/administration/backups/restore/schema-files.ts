import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '../../../foundation/http/http.ts'
import type { SchemaCheck } from '../../../foundation/schemas/schemas.ts'
import type { SectionName } from '../../../foundation/sections/sections.ts'

type SchemaSection = Extract<SectionName, 'schemas' | 'components'>

/** A file below the schemas directory. */
export interface SchemaFile {
  readonly section: SchemaSection
  /** `article.json` */
  readonly name: string
}

/** Such a file in a backup. */
export interface ArchivedSchemaFile extends SchemaFile {
  readonly content: Buffer
}

/**
 * What a restore would change among the schema files. Files that a backup does not have are left unchanged.
 */
export interface SchemaFileChanges {
  readonly added: string[]
  readonly changed: string[]
  readonly unchanged: string[]
  /** Not in the backup, and left unchanged. */
  readonly kept: string[]
}

/** The JSON files that declare content types and components, on the local disk. */
export interface SchemaFiles {
  list(): Promise<SchemaFile[]>
  pathOf(file: SchemaFile): string
  compare(section: SchemaSection, archived: ReadonlyMap<string, Buffer>): Promise<SchemaFileChanges>
  /** Missing or different files. If there are none, nothing has to be written. */
  differing(archived: readonly ArchivedSchemaFile[]): Promise<ArchivedSchemaFile[]>
  /** @throws AppError 409 if the service could not start with these files, or they could not be written */
  assertUsable(differing: readonly ArchivedSchemaFile[]): Promise<void>
  /** Replaces each file atomically; idempotent. */
  write(differing: readonly ArchivedSchemaFile[]): Promise<void>
}

/** @param schemaCheck what this service would start with */
export function createSchemaFiles(directory: string, schemaCheck: SchemaCheck): SchemaFiles {
  const folderOf = (section: SchemaSection) =>
    section === 'schemas' ? directory : join(directory, 'components')
  const pathOf = ({ section, name }: SchemaFile) => join(folderOf(section), name)

  async function listSection(section: SchemaSection): Promise<SchemaFile[]> {
    const found = await readdir(folderOf(section), { withFileTypes: true }).catch(orNone)
    return found
      .filter((entry) => !entry.isDirectory() && /^[A-Za-z0-9][\w.-]{0,80}\.json$/.test(entry.name))
      .map(({ name }) => ({ section, name }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
  }

  return {
    list: async () => [...(await listSection('schemas')), ...(await listSection('components'))],
    pathOf,
    async compare(section, archived) {
      const changes = { added: [], changed: [], unchanged: [], kept: [] } as Record<string, string[]>
      const present = new Set((await listSection(section)).map(({ name }) => name))
      for (const [name, content] of archived) {
        if (!present.has(name)) changes.added?.push(name)
        else
          changes[content.equals(await readFile(pathOf({ section, name }))) ? 'unchanged' : 'changed']?.push(
            name,
          )
      }
      for (const name of present) if (!archived.has(name)) changes.kept?.push(name)
      return changes as unknown as SchemaFileChanges
    },
    async differing(archived) {
      const differing: ArchivedSchemaFile[] = []
      for (const file of archived) {
        const present = await readFile(pathOf(file)).catch(orNone)
        if (!file.content.equals(Buffer.from(present))) differing.push(file)
      }
      return differing
    },
    async assertUsable(differing) {
      if (differing.length === 0) return
      await assertWritable(differing, pathOf)
      const trial = await mkdtemp(join(tmpdir(), 'mortise-schemas-'))
      try {
        await cp(directory, trial, { recursive: true }).catch(orNone)
        await mkdir(join(trial, 'components'), { recursive: true })
        for (const { section, name, content } of differing) {
          await writeFile(join(trial, section === 'schemas' ? '' : 'components', name), content)
        }
        assertNoProblems(await schemaCheck.check(trial))
      } finally {
        await rm(trial, { recursive: true, force: true })
      }
    },
    async write(differing) {
      for (const { content, ...file } of differing) await replaceFile(pathOf(file), content)
    },
  }
}

function assertNoProblems(problems: Awaited<ReturnType<SchemaCheck['check']>>): void {
  if (problems.length === 0) return
  const details = problems.map(({ subject, message }) => ({ path: subject, code: 'schema', message }))
  const message = 'the service could not start with the schema files of the backup beside those that are here'
  throw new AppError('CONFLICT', message, { details })
}

/** Tried out, since permissions are not sufficient: the file system may be mounted read-only. */
async function assertWritable(
  files: readonly ArchivedSchemaFile[],
  pathOf: (file: SchemaFile) => string,
): Promise<void> {
  const folders = new Set(files.map((file) => dirname(pathOf(file))))
  try {
    for (const folder of folders) await writeTrial(folder)
  } catch (error) {
    const names = files.map(({ section, name }) => `${section}/${name}`)
    const shown = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names
    const message = `the schemas directory cannot be written to, and the backup has other contents of ${shown.join(', ')}: mount it writable, or restore the other sections only`
    throw new AppError('CONFLICT', message, { cause: error })
  }
}

async function writeTrial(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = partialIn(folder)
  try {
    await writeFile(path, 'x', { flag: 'wx' })
  } finally {
    await rm(path, { force: true })
  }
}

/** Hidden, so that a concurrent start does not read it. */
const partialIn = (folder: string) => join(folder, `.${randomBytes(8).toString('hex')}.partial`)

async function replaceFile(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const partial = partialIn(dirname(path))
  try {
    const file = await open(partial, 'w')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

function orNone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
