import { join } from 'node:path'
import type { BuildOptions, Metafile, OutputFile } from 'esbuild'
import { supportedBrowsers } from '../../../foundation/bundling/bundling.ts'
import { assetsPath } from '../panel-path.ts'
import { appFolder } from './app-sources.ts'
import type { Entries } from './built-app.ts'
import { catalogues } from './catalogues.ts'
import { commonScript } from './common-script.ts'
import { iconSprite } from './icon-sprite.ts'
import { libraryTexts } from './library-texts.ts'
import { sharedEntryPoints, sharedFiles, sharedModules } from './shared-modules.ts'
import { wholeStyles } from './whole-styles.ts'

/** The application as bundled by esbuild. */
export interface Bundle {
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[]
  readonly entries: Entries
  /** The source files, relative to the project. */
  readonly inputs: readonly string[]
}

/** The esbuild options; if live, without minification. */
export function bundleOptions({ isLive }: { readonly isLive: boolean }) {
  return {
    entryPoints: {
      panel: join(appFolder, 'main.tsx'),
      'sign-in': join(appFolder, 'sign-in/sign-in.ts'),
      'sign-in-page': join(appFolder, 'sign-in/sign-in.css'),
      styles: wholeStyles.entryPoint,
      ...sharedEntryPoints,
    },
    outdir: '/assets',
    publicPath: assetsPath.slice(0, -1),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: [...supportedBrowsers],
    jsx: 'automatic',
    minify: !isLive,
    sourcemap: isLive ? 'linked' : false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': isLive ? '"development"' : '"production"' },
    logLevel: 'silent',
    metafile: true,
    write: false,
    plugins: [wholeStyles.plugin, iconSprite, catalogues, libraryTexts, sharedModules, commonScript],
  } as const satisfies BuildOptions
}

/** Converts esbuild's output to files by the names that browsers request. */
export function bundleOf(output: { outputFiles: OutputFile[]; metafile: Metafile }): Bundle {
  const { metafile, outputFiles } = output
  const entryOf = (isWanted: (entryPoint: string) => boolean) => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint = '' }]) => isWanted(entryPoint))
    if (found === undefined) throw new Error('the bundle of the panel lacks an entry point')
    return nameOf(found[0])
  }
  const panel = entryOf((path) => path.endsWith('app/main.tsx'))
  const entries = {
    panel,
    panelImports: importsOf(panel, metafile),
    styles: entryOf((path) => path.startsWith(wholeStyles.namespace)),
    signIn: entryOf((path) => path.endsWith('sign-in/sign-in.ts')),
    signInStyles: entryOf((path) => path.endsWith('sign-in/sign-in.css')),
    shared: sharedFiles(Object.keys(metafile.outputs).map(nameOf)),
  }
  const wantedStyles = [entries.styles, entries.signInStyles]
  return {
    files: outputFiles
      .map(({ path, contents }) => ({ name: nameOf(path), contents }))
      // Skips the styles of single scripts, which are all in the one style sheet.
      .filter(
        ({ name }) => !/\.css(\.map)?$/.test(name) || wantedStyles.some((each) => name.startsWith(each)),
      ),
    entries,
    inputs: Object.keys(metafile.inputs).filter((path) => !path.includes(':')),
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The static imports of a script, direct or indirect, without itself. */
function importsOf(script: string, { outputs }: Metafile): string[] {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [nameOf(path), output]))
  const found = new Set<string>()
  const visit = (name: string) => {
    for (const { path, kind } of byName.get(name)?.imports ?? []) {
      const imported = nameOf(path)
      if (kind !== 'import-statement' || found.has(imported)) continue
      found.add(imported)
      visit(imported)
    }
  }
  visit(script)
  return [...found]
}
