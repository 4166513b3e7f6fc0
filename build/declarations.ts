import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'

export interface DeclarationOptions {
  /** The folder of the sources. */
  readonly root: string
  /** The folder of the package. */
  readonly folder: string
  /** Sources, relative to the root. */
  readonly entryPoints: readonly string[]
}

/** Where the declarations of other packages go. */
const packagesFolder = 'packages/declarations'
/** Left to authors to install, because their components must use exactly the same types. */
const leftToAuthors = /^react(\/|$)/
/** Our own declarations, used instead of those of a package. */
const ownDeclarations = join(import.meta.dirname, 'packages')

/**
 * Writes the declarations that the entry points reach, next to their scripts. Declarations of other packages are
 * included, so that users need not install whole packages for the types of bundled code.
 * @returns the files of other packages that they come from
 */
export function writeDeclarations({ root, folder, entryPoints }: DeclarationOptions): string[] {
  const emitted = emitDeclarations(root)
  try {
    const files = reachedFrom(
      entryPoints.map((file) => join(emitted, declarationOf(file))),
      { root, emitted },
    )
    for (const [file, text] of files) {
      const target = join(folder, targetOf(file, { root, emitted }))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text)
    }
    return [...files.keys()].filter((file) => file.startsWith(join(root, 'node_modules')))
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/**
 * Writes the declarations of all sources to a temporary folder.
 * @throws Error with the compiler's output
 */
export function emitDeclarations(root: string): string {
  const outDir = mkdtempSync(join(tmpdir(), 'mortise-declarations-'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', join(root, 'build/tsconfig.json'), '--outDir', outDir]
  try {
    execFileSync(process.execPath, [compiler, ...options], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    rmSync(outDir, { recursive: true, force: true })
    throw new Error(`the declarations cannot be made:\n${(error as { stdout?: string }).stdout ?? error}`)
  }
  return outDir
}

interface Places {
  readonly root: string
  /** The folder of the compiler's output. */
  readonly emitted: string
}

/** The declarations that the entry points reach, in published form, by the file that each comes from. */
function reachedFrom(entryPoints: readonly string[], places: Places): ReadonlyMap<string, string> {
  const reached = new Map<string, string>()
  const waiting = [...entryPoints]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue
    const { text, imported } = published(file, places)
    reached.set(file, text)
    waiting.push(...imported)
  }
  return reached
}

/** The text of declarations with their imports as they are in the package, and the files that they import. */
function published(file: string, places: Places) {
  const imported: string[] = []
  const text = readFileSync(file, 'utf8')
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
    // The compiler names a source file, which is not part of the package.
    .replace(/^\/\/\/ <reference path="([^"]+)".*$/gm, (_, path) => {
      const target = resolve(dirname(file), path)
      imported.push(target)
      return `/// <reference path="${pathOf(target, file, places)}" />`
    })
    .replace(/^(?!\s*(?:\/\*|\*|\/\/)).*$/gm, (line) =>
      line.replace(/(\bfrom |\bimport\(|^import )(["'])([^"']+)\2/g, (whole, before, _, specifier) => {
        const target = fileOf(specifier, file, places)
        if (target === undefined) return whole
        imported.push(target)
        return `${before}'${specifierOf(target, file, places)}'`
      }),
    )
  return { text, imported }
}

/**
 * The declaration file for an import; undefined for modules of Node and packages left to authors.
 * @throws Error if there is none
 */
function fileOf(specifier: string, importer: string, { root }: Places): string | undefined {
  if (specifier.startsWith('node:') || leftToAuthors.test(specifier)) return undefined
  const file = specifier.startsWith('.')
    ? declarationOf(resolve(dirname(importer), specifier))
    : packageDeclarations(specifier, root)
  if (existsSync(file)) return file
  throw new Error(`${importer} imports ${specifier}, which has no declarations`)
}

function packageDeclarations(specifier: string, root: string): string {
  const own = join(ownDeclarations, `${specifier}.d.ts`)
  if (existsSync(own)) return own
  const typesOnly = join(root, 'node_modules/@types', specifier, 'index.d.ts')
  if (existsSync(typesOnly)) return typesOnly
  return declarationOf(
    createRequire(join(root, 'package.json'))
      .resolve(specifier)
      .replace(/\.c?js$/, '.js'),
  )
}

const declarationOf = (file: string) => file.replace(/(?<!\.d)\.([mc]?)[jt]s$/, '.d.$1ts')

/** The path of a declaration file in the package. */
function targetOf(file: string, { root, emitted }: Places): string {
  const modules = join(root, 'node_modules')
  // @types packages describe CommonJS modules.
  if (file.startsWith(join(modules, '@types') + sep)) {
    return join(packagesFolder, relative(modules, file).replace(/\.d\.ts$/, '.d.cts'))
  }
  if (file.startsWith(modules + sep)) return join(packagesFolder, relative(modules, file))
  if (file.startsWith(ownDeclarations + sep)) return join(packagesFolder, relative(ownDeclarations, file))
  if (file.startsWith(root + sep)) return relative(root, file)
  return relative(emitted, file)
}

const specifierOf = (file: string, importer: string, places: Places) =>
  pathOf(file, importer, places).replace(/\.d\.([mc]?)ts$/, '.$1js')

function pathOf(file: string, importer: string, places: Places): string {
  const path = posix.relative(posix.dirname(targetOf(importer, places)), targetOf(file, places))
  return path.startsWith('.') ? path : `./${path}`
}
