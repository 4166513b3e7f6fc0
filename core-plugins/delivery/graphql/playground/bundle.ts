import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { supportedBrowsers, withEsbuild } from '../../../foundation/bundling/bundling.ts'

/** The files that the page loads. */
export const playgroundFiles = ['playground.js', 'playground.css'] as const

export type PlaygroundFiles = Readonly<Record<(typeof playgroundFiles)[number], string>>

/** The folder of the package in which `npm run build` stores them. */
const builtFolder = join(import.meta.dirname, 'built')

/** The files of the playground, from the package, or bundled now, which takes 0.2 seconds. */
export async function readPlayground(): Promise<PlaygroundFiles> {
  if (!existsSync(builtFolder)) return (await bundlePlayground()).files
  const [script, styles] = await Promise.all(
    playgroundFiles.map((name) => readFile(join(builtFolder, name), 'utf8')),
  )
  return { 'playground.js': script ?? '', 'playground.css': styles ?? '' }
}

const options = {
  entryPoints: ['main.ts', 'playground.css'].map((name) => ({
    in: join(import.meta.dirname, 'app', name),
    out: 'playground',
  })),
  outdir: builtFolder,
  absWorkingDir: join(import.meta.dirname, '../../../..'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: [...supportedBrowsers],
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
  metafile: true,
  write: false,
} as const satisfies BuildOptions

/** `inputs` are the source files, relative to the folder of the service. */
export async function bundlePlayground(): Promise<{ files: PlaygroundFiles; inputs: string[] }> {
  const { outputFiles, metafile } = await withEsbuild(({ build }) => build(options))
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ''
  return {
    files: { 'playground.js': textOf('.js'), 'playground.css': textOf('.css') },
    inputs: Object.keys(metafile.inputs),
  }
}
