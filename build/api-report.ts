import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emitDeclarations } from './declarations.ts'
import { type DeclaredNames, readDeclaredNames } from './declared-names.ts'
import { readManifest } from './manifest.ts'

/*
 *   npm run api-report [-- --check]
 *
 * Writes the exports of each entry point of the package to entry-points/reports/, or says which of the reports are
 * out of date.
 */

/** A name that an entry point exports, or that one of its declarations uses. */
interface Item {
  readonly name: string
  readonly file: string
  readonly text: string
}

type Read = (file: string) => DeclaredNames

/** The exports of each entry point of the package, by the path of its report from the root. */
function apiReports(root: string): ReadonlyMap<string, string> {
  const emitted = emitDeclarations(root)
  const files = new Map<string, DeclaredNames>()
  const read: Read = (file) => {
    const known = files.get(file) ?? readDeclaredNames(file)
    files.set(file, known)
    return known
  }
  try {
    const { name, exports } = readManifest(root)
    return new Map(
      Object.entries(exports).map(([subpath, file]) => [
        `entry-points/reports/${subpath.slice(2) || name}.api.md`,
        reportOf(name + subpath.slice(1), join(emitted, file.replace(/\.ts$/, '.d.ts')), read),
      ]),
    )
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

function staleReports(root: string): string[] {
  return [...apiReports(root)]
    .filter(
      ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
    )
    .map(([path]) => path)
}

function writeApiReports(root: string) {
  for (const [path, text] of apiReports(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function reportOf(specifier: string, file: string, read: Read): string {
  const exported = exportsOf(file, read).map(([name, own]) => ({
    ...resolveName(own.file, own.name, read),
    name,
  }))
  const used = usedBy(exported, read)
  return [
    `# API report of \`${specifier}\``,
    'What it exports, without the comments. `npm run api-report` writes this file; see docs/packages.md.',
    ...sections(exported),
    '# Used by these, but not exported',
    ...sections(used),
    '',
  ].join('\n\n')
}

const sections = (items: readonly Item[]) =>
  items.toSorted(byName).map(({ name, text }) => `## ${name}\n\n\`\`\`ts\n${text}\n\`\`\``)

const byName = (a: Item, b: Item) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.text < b.text ? -1 : 1)

function exportsOf(file: string, read: Read): [string, { file: string; name: string }][] {
  const { exported, exportedFiles } = read(file)
  return [
    ...[...exported].map(([name, own]): [string, { file: string; name: string }] => [
      name,
      { file, name: own },
    ]),
    ...exportedFiles.flatMap((other) => exportsOf(other, read)),
  ]
}

/**
 * Follows a name to its declaration.
 * @throws Error if the file does not have the name
 */
function resolveName(file: string, name: string, read: Read): Item {
  const own = ownName(file, name, read)
  const origin = read(own.file).names.get(own.name)
  if (origin === undefined) throw new Error(`${file} has no ${name}`)
  if ('text' in origin) return { name: own.name, file: own.file, text: origin.text }
  if (!origin.isPackage && origin.name !== '*') return resolveName(origin.from, origin.name, read)
  const from = origin.isPackage ? origin.from : 'another file'
  return { name, file: '', text: `export { ${origin.name} } from '${from}';` }
}

/**
 * The file that declares an exported name, and the name in that file: the name may come from another file through
 * `export *`.
 */
function ownName(file: string, name: string, read: Read): { file: string; name: string } {
  const [, found] = exportsOf(file, read).find(([exported]) => exported === name) ?? []
  return found ?? { file, name }
}

/** The declarations that the exported ones use, directly or through others. */
function usedBy(exported: readonly Item[], read: Read): Item[] {
  const known = new Set(exported.map(keyOf))
  const found: Item[] = []
  const waiting = exported.filter(({ file }) => file !== '')
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    for (const used of namesIn(item, read)) {
      if (known.has(keyOf(used)) || used.file === '') continue
      known.add(keyOf(used))
      found.push(used)
      waiting.push(used)
    }
  }
  return found
}

const keyOf = ({ file, text }: Item) => `${file}\n${text}`

function namesIn({ file, text }: Item, read: Read): Item[] {
  const { names } = read(file)
  const words = new Set(text.match(/(?<![.\w$'"])[\w$]+/g))
  return [...words].filter((word) => names.has(word)).map((word) => resolveName(file, word, read))
}

const root = join(import.meta.dirname, '..')
if (!process.argv.includes('--check')) writeApiReports(root)
else {
  const stale = staleReports(root)
  if (stale.length > 0) {
    console.error(
      `The public API has changed: ${stale.join(', ')}. If that is on purpose, run \`npm run api-report\`, read the ` +
        'difference, and write into CHANGELOG.md what plugins have to change.',
    )
    process.exitCode = 1
  }
}
