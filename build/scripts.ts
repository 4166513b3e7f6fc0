import { cpSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { becomesPart, entryPointsOf, scriptsNamedIn, threadScript } from '../launch/bundle.mjs'
import { findPublishedSources } from '../launch/sources.mjs'
import { readManifest } from './manifest.ts'

type Sources = ReturnType<typeof findPublishedSources>

/** The packages that the written scripts need or contain. */
export interface WrittenScripts {
  /** The specifiers of packages that have to be installed. */
  readonly imported: readonly string[]
  /** The files of other packages that have become part of the scripts. */
  readonly bundled: readonly string[]
}

/**
 * A CommonJS script that is referred to by its path. It is copied, because as an ES module it could not be loaded
 * with `require`.
 */
const commonScript = /new URL\(\s*'(\.[^']+\.cjs)',\s*import\.meta\.url/g
/**
 * `import.meta.dirname` and similar expressions become members of this identifier, so that strings with the same text
 * are not replaced.
 */
const place = 'sourceLocation'

/**
 * Writes the scripts of the package: those that are found by their paths, and in `chunks/` the code that they share,
 * so that a start reads dozens of files instead of more than a thousand.
 */
export async function writeScripts(root: string, outdir: string): Promise<WrittenScripts> {
  const sources = findPublishedSources(root, outdir)
  const { metafile } = await build({
    entryPoints: scriptsToWrite(sources),
    outdir,
    outbase: root,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    metafile: true,
    define: Object.fromEntries(
      ['url', 'dirname', 'filename'].map((name) => [`import.meta.${name}`, `${place}.${name}`]),
    ),
    // Some bundled packages are CommonJS.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    plugins: [leavingOut(sources), readingTheManifest(sources), knowingTheirPlace(sources)],
  })
  for (const file of scriptsNamedIn([...sources.files], commonScript))
    cpSync(file, join(outdir, relative(root, file)))
  return { imported: importedBy(metafile), bundled: bundledIn(metafile) }
}

/** Scripts that are found by their paths, and all of `launch/`. */
const scriptsToWrite = (sources: Sources): string[] => [
  ...new Set([
    ...entryPointsOf(sources),
    ...[...sources.files].filter((file) => dirname(file) === join(sources.folder, 'launch')),
  ]),
]

/** The imports of packages that have to be installed. */
function importedBy({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  const specifiers = imports.filter(({ external }) => external === true).map(({ path }) => path)
  return [...new Set(specifiers)].filter((path) => !isBuiltin(path)).sort()
}

const bundledIn = ({ inputs }: Metafile) =>
  Object.keys(inputs).filter((file) => file.startsWith('node_modules/'))

/** Leaves packages that are not bundled as imports, and resolves the service's own exports to its sources. */
const leavingOut = (sources: Sources): Plugin => ({
  name: 'leaving out',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined
      const own = sources.exports.get(path)
      if (own !== undefined) return { path: own }
      return becomesPart(path, importer, sources) ? undefined : { path, external: true }
    })
  },
})

/**
 * Reads the version from the package.json that npm installed; an import of JSON would be inlined, or be an
 * experimental feature of Node 20.
 */
const readingTheManifest = ({ folder }: Sources): Plugin => ({
  name: 'reading the manifest',
  setup({ onLoad, onResolve }) {
    const manifest = join(folder, 'package.json')
    onResolve({ filter: /package\.json$/ }, ({ path, importer }) =>
      resolve(dirname(importer), path) === manifest ? { path, namespace: 'manifest' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'manifest' }, () => ({
      contents: `import { cpSync, readFileSync } from 'node:fs'
        export default JSON.parse(readFileSync(new URL(${addressOfManifest(folder)}), 'utf8'))`,
    }))
  },
})

/** Lets scripts find others, and the package itself, relative to their original path, whichever chunk they are in. */
const knowingTheirPlace = ({ folder, files }: Sources): Plugin => ({
  name: 'knowing their place',
  setup({ onLoad }) {
    onLoad({ filter: /\.[mc]?[jt]s$/ }, ({ path }) => {
      if (!files.has(path)) return undefined
      const text = readFileSync(path, 'utf8')
      if (!/\bimport\.meta\.(url|dirname|filename)\b/.test(text)) return { contents: text, loader: 'ts' }
      const location = `import { dirname as directoryOf } from 'node:path'
        import { fileURLToPath as pathOf } from 'node:url'
        const ${place} = ((url) => ({ url, filename: pathOf(url), dirname: directoryOf(pathOf(url)) }))(
          new URL(${JSON.stringify(writtenName(relative(folder, path)))}, ${addressOfManifest(folder)}).href)`
      const contents = text.replace(threadScript, (whole, script) =>
        whole.replace(script, writtenName(script)),
      )
      return { contents: `${location}\n${contents}`, loader: 'ts' }
    })
  },
})

/** An expression for the address of package.json: a package can import itself by its name. */
const addressOfManifest = (folder: string) =>
  `import.meta.resolve(${JSON.stringify(`${readManifest(folder).name}/package.json`)})`

const writtenName = (path: string) => path.replace(/\.[mc]?[jt]s$/, '.js')
