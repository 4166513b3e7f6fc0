import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartupProblem } from '../../../../kernel/index.ts'
import type { Origin } from '../origin.ts'
import type { FileKind } from './file-schema.ts'
import type { SchemaFile } from './schema-source.ts'

/** The contents of the schemas directory. */
export interface SchemaFiles {
  readonly files: readonly SchemaFile[]
  /** Problems about files in places that are not read. */
  readonly problems: readonly StartupProblem[]
}

/**
 * Reads all schema files of a directory; `label` is its name in messages, and `owner` says who declares them.
 * @throws Error of Node with code ENOENT if the directory does not exist
 */
export async function readSchemaFiles(
  directory: string,
  label: string,
  owner: Omit<Origin, 'path'> = {},
): Promise<SchemaFiles> {
  return parseSchemaFiles(await readSchemaTexts(directory), label, owner)
}

/** The texts of the files of a schemas directory. */
export interface SchemaTexts {
  /** By path, relative to the directory. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders in places that are not searched for schema files. */
  readonly misplaced: readonly string[]
}

/** @throws Error of Node with code ENOENT if the directory does not exist */
export async function readSchemaTexts(directory: string): Promise<SchemaTexts> {
  const { paths, misplaced } = await findFiles(directory)
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(directory, path), 'utf8')] as const),
  )
  return { texts: new Map(texts), misplaced }
}

/** Parses texts as the files of a schemas directory; `label` is the directory's name in messages. */
export function parseSchemaFiles(
  { texts, misplaced }: SchemaTexts,
  label: string,
  owner: Omit<Origin, 'path'> = {},
): SchemaFiles {
  return {
    files: [...texts].map(([path, text]) =>
      parseFile({ ...declaredBy(path), ...owner, path: `${label}/${path}` }, text),
    ),
    problems: misplaced.map((path) => misplacedFolder(`${label}/${path}`)),
  }
}

async function findFiles(directory: string) {
  const top = await readdir(directory, { withFileTypes: true })
  const hasComponents = top.some((entry) => entry.isDirectory() && entry.name === 'components')
  const components = hasComponents
    ? await readdir(join(directory, 'components'), { withFileTypes: true })
    : []
  return {
    paths: [...jsonNames(top), ...jsonNames(components).map((name) => `components/${name}`)],
    misplaced: components.filter(isVisibleFolder).map((folder) => `components/${folder.name}`),
  }
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

/** What a file at this path in a schemas directory declares. */
export function declaredBy(path: string): Pick<SchemaFile, 'kind' | 'name'> {
  const [, component] = /^components\/(.*)$/.exec(path) ?? []
  const name = component ?? path
  const [, extended] =
    (component === undefined ? /^(.*)\.extension\.json$/ : /^([^.]+\.[^.]+)\.extension\.json$/).exec(name) ??
    []
  const kind: FileKind = component === undefined ? 'content-type' : 'component'
  if (extended === undefined) return { kind, name: name.slice(0, -'.json'.length) }
  return { kind: kind === 'component' ? 'component-extension' : 'extension', name: extended }
}

function misplacedFolder(path: string): StartupProblem {
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
