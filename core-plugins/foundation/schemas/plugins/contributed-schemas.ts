import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ContributionOf, PluginFault } from '../../../../kernel/index.ts'
import { readSchemaFiles } from '../files/read-files.ts'
import type { SchemaFile } from '../files/schema-source.ts'
import type { TypeExtending } from './extend-by-code.ts'
import type { SchemaFolder, TypeExtension } from './schema-contributions.ts'

/** What plugins contribute to the schemas. */
export interface ContributedSchemas {
  readonly folders: readonly ContributionOf<SchemaFolder>[]
  readonly extensions: readonly ContributionOf<TypeExtension>[]
}

export interface ReadingOptions {
  /** The directory to which paths in messages are relative. */
  readonly workingDirectory: string
  /** The plugins that the project allows to use arbitrary names. */
  readonly freeNames: readonly string[]
}

/**
 * Reads the schema files of plugins.
 * @throws PluginFault for a folder that cannot be read, or that contains other files
 */
export async function readContributedFiles(
  folders: ContributedSchemas['folders'],
  { workingDirectory, freeNames }: ReadingOptions,
): Promise<SchemaFile[]> {
  const read = folders.map(async ({ plugin, value: { folder, space } }) => {
    try {
      const directory = fileURLToPath(folder)
      const label = relative(workingDirectory, directory).replaceAll('\\', '/') || '.'
      const owner = { plugin, ...spaceOf(plugin, space, freeNames) }
      const { files, problems } = await readSchemaFiles(directory, label, owner)
      const [misplaced] = problems
      if (misplaced === undefined) return files
      throw new Error(`${misplaced.subject} ${misplaced.message} → ${misplaced.remedy}`)
    } catch (error) {
      throw new PluginFault(plugin, readable(error, folder))
    }
  })
  return (await Promise.all(read)).flat()
}

function readable(error: unknown, folder: URL): unknown {
  const isMissing =
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  return isMissing ? new Error(`its schema folder ${folder.href} is no folder`, { cause: error }) : error
}

/** The extensions by code, with the prefix of their names. */
export function typeExtendings(
  extensions: ContributedSchemas['extensions'],
  { freeNames }: Pick<ReadingOptions, 'freeNames'>,
): TypeExtending[] {
  return extensions.map(({ plugin, value }) => ({
    plugin,
    extension: value,
    ...spaceOf(plugin, value.space, freeNames),
  }))
}

function spaceOf(plugin: string, space: string | undefined, freeNames: readonly string[]) {
  return space === undefined || freeNames.includes(plugin) ? {} : { space }
}

/**
 * Contributions made after the schemas were read would be ignored.
 * @throws PluginFault for a plugin that contributes later than in `register`
 */
export function assertRead(now: ContributedSchemas, read: ContributedSchemas): void {
  for (const [what, contributed, known] of [
    ['schemaFolders', now.folders, read.folders],
    ['typeExtensions', now.extensions, read.extensions],
  ] as const) {
    const seen = new Set<unknown>(known.map(({ value }) => value))
    const late = contributed.find(({ value }) => !seen.has(value))
    if (late === undefined) continue
    throw new PluginFault(late.plugin, new Error(`${what} must be contributed to in register`))
  }
}
