import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartupProblem } from '../../kernel/index.ts'
import type { FileKind } from './file-schema.ts'
import type { Origin } from './origin.ts'
import type { SchemaFile } from './schema-source.ts'

/** The contents of the schemas directory. */
export interface SchemaFiles {
  readonly files: readonly SchemaFile[]
  /** Problems with files in places that are not read. */
  readonly problems: readonly StartupProblem[]
}

/**
 * Reads all schema files of a directory; `label` is its name in messages, and `owner` whose they are.
 * @throws Error of Node with code ENOENT if there is no such directory
 */
export async function readSchemaFiles(
  directory: string,
  label: string,
  owner: Omit<Origin, 'path'> = {},
): Promise<SchemaFiles> {
  const found = await findFiles(directory)
  const results = await Promise.all(
    found.map(async ({ path, ...file }) => {
      const shown = `${label}/${path}`
      if (file.kind === undefined) return misplaced(shown)
      return parseFile(
        { ...file, ...owner, kind: file.kind, path: shown },
        await readFile(join(directory, path), 'utf8'),
      )
    }),
  )
  return {
    files: results.filter((result) => 'content' in result),
    problems: results.filter((result) => 'subject' in result),
  }
}

interface FoundFile {
  /** Relative to the schemas directory. */
  readonly path: string
  readonly name: string
  /** Undefined for a file in a folder that is not read. */
  readonly kind: FileKind | undefined
}

async function findFiles(directory: string): Promise<FoundFile[]> {
  const top = await readdir(directory, { withFileTypes: true })
  const hasComponents = top.some((entry) => entry.isDirectory() && entry.name === 'components')
  const components = hasComponents
    ? await readdir(join(directory, 'components'), { withFileTypes: true })
    : []
  return [
    ...jsonNames(top).map(topFile),
    ...jsonNames(components).map((name) => componentFile(name)),
    ...components.filter(isVisibleFolder).map((folder) => misplacedFolder(folder.name)),
  ]
}

function jsonNames(entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
}

function isVisibleFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.')
}

function topFile(path: string): FoundFile {
  if (path.endsWith('.extension.json')) {
    return { path, name: path.slice(0, -'.extension.json'.length), kind: 'extension' }
  }
  return { path, name: path.slice(0, -'.json'.length), kind: 'content-type' }
}

function componentFile(name: string): FoundFile {
  const [, extended] = /^([^.]+\.[^.]+)\.extension\.json$/.exec(name) ?? []
  if (extended !== undefined) {
    return { path: `components/${name}`, name: extended, kind: 'component-extension' }
  }
  return { path: `components/${name}`, name: name.slice(0, -'.json'.length), kind: 'component' }
}

function misplacedFolder(name: string): FoundFile {
  return { path: `components/${name}`, name, kind: undefined }
}

function misplaced(path: string): StartupProblem {
  return {
    subject: path,
    message: 'is a folder, in which no components are looked for',
    remedy: 'put components at components/<category>.<name>.json',
  }
}

function parseFile(file: Omit<SchemaFile, 'content'>, text: string): SchemaFile {
  try {
    return { ...file, content: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const offset = /position (\d+)/.exec(reason)?.[1]
    const at = offset === undefined ? '' : placeInText(text, Number(offset))
    const unreadable = {
      at,
      message: `is no JSON: ${reason}`,
      remedy: 'mend it there; an editor shows the place',
    }
    return { ...file, content: undefined, unreadable }
  }
}

function placeInText(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
