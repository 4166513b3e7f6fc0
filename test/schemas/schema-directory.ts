import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadSchemas } from '../../core-plugins/foundation/schemas/files/load.ts'
import { readSchemaFiles } from '../../core-plugins/foundation/schemas/files/read-files.ts'
import type { Schemas } from '../../core-plugins/foundation/schemas/schemas.ts'
import { StartupError } from '../../kernel/index.ts'

/** Files of a schemas directory by path; texts are written as they are, all else as JSON. */
export type Files = Readonly<Record<string, unknown>>

/** Runs `use` on a directory that holds the files, and removes it. */
export async function withDirectory<T>(files: Files, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'mortise-schemas-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true })
      await writeFile(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content))
    }
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** The model of the files. */
export function load(files: Files): Promise<Schemas> {
  return withDirectory(files, async (directory) => {
    const read = await readSchemaFiles(directory, 'schemas')
    return loadSchemas(read.files, read.problems)
  })
}

/** Every problem of the files, as the report shows it: `subject: message → remedy`. */
export async function problemsOf(files: Files): Promise<string[]> {
  try {
    await load(files)
    return []
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return error.problems.map(({ subject, message, remedy }) => `${subject}: ${message} → ${remedy}`)
  }
}

/** The file of a content type named `name`. */
export function type(name: string, attributes: object, more: object = {}): object {
  return {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
    ...more,
  }
}

/** The file of the component `category.name`. */
export function component(uid: string, attributes: object, more: object = {}): object {
  return { uid, category: uid.split('.')[0], info: { displayName: uid }, attributes, ...more }
}
