import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '../../http/http.ts'
import { checkSchemaFiles } from '../../schemas/schemas.ts'
import type { SectionName } from '../backups.ts'

type SchemaSection = Extract<SectionName, 'schemas' | 'components'>

/** A file below the schemas directory. */
export interface SchemaFile {
  readonly section: SchemaSection
  /** `article.json` */
  readonly name: string
}

/** What a restore would change among the schema files. Those that a backup does not have are left alone. */
export interface SchemaFileChanges {
  readonly added: string[]
  readonly changed: string[]
  readonly unchanged: string[]
  /** Not in the backup, and left as they are. */
  readonly kept: string[]
}

/** The JSON files that declare content types and components, as they are on the disk of this machine. */
export interface SchemaFiles {
  list(): Promise<SchemaFile[]>
  pathOf(file: SchemaFile): string
  compare(section: SchemaSection, archived: ReadonlyMap<string, Buffer>): Promise<SchemaFileChanges>
  /** @throws AppError 409 if the service could not start with these files, or they could not be written */
  requireUsable(archived: readonly (SchemaFile & { content: Buffer })[]): Promise<void>
  /** Each file is replaced at once; doing it twice is the same as doing it once. */
  write(archived: readonly (SchemaFile & { content: Buffer })[]): Promise<void>
}

export function createSchemaFiles(directory: string): SchemaFiles {
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
      changes.kept?.push(...[...present].filter((name) => !archived.has(name)))
      return changes as unknown as SchemaFileChanges
    },
    async requireUsable(archived) {
      if (archived.length === 0) return
      await requireWritable(directory)
      const trial = await mkdtemp(join(tmpdir(), 'mortise-schemas-'))
      try {
        await cp(directory, trial, { recursive: true }).catch(orNone)
        await mkdir(join(trial, 'components'), { recursive: true })
        for (const { section, name, content } of archived) {
          await writeFile(join(trial, section === 'schemas' ? '' : 'components', name), content)
        }
        refuseProblems(await checkSchemaFiles(trial))
      } finally {
        await rm(trial, { recursive: true, force: true })
      }
    },
    async write(archived) {
      for (const { content, ...file } of archived) await replaceFile(pathOf(file), content)
    },
  }
}

function refuseProblems(problems: Awaited<ReturnType<typeof checkSchemaFiles>>): void {
  if (problems.length === 0) return
  const details = problems.map(({ subject, message }) => ({ path: subject, code: 'schema', message }))
  const message = 'the service could not start with the schema files of the backup beside those that are here'
  throw new AppError('CONFLICT', message, { details })
}

async function requireWritable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await access(directory, constants.W_OK)
  } catch (error) {
    const message = 'the schemas directory cannot be written to; restore the other sections only'
    throw new AppError('CONFLICT', message, { cause: error })
  }
}

async function replaceFile(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // Hidden, so that a start meanwhile does not read it.
  const partial = join(dirname(path), `.${randomBytes(8).toString('hex')}.partial`)
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
