// @ts-check
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/*
 * `npm run build -w mortise-client`: writes the package as it is published to client/dist, with a package.json of
 * its own, since in the repository `mortise-client` is the source. `npm pack ./client/dist` packs it.
 */

const here = import.meta.dirname
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/**
 * Writes the package to a folder, in place of what is there.
 * @param {string} [folder]
 * @throws {Error} if the sources do not compile
 */
export async function buildClient(folder = join(here, 'dist')) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(here, 'client.ts')],
    outfile: join(folder, 'client.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  })
  writeDeclarations(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  cpSync(join(here, 'README.md'), join(folder, 'README.md'))
  cpSync(join(here, '../LICENSE'), join(folder, 'LICENSE'))
}

/** @param {string} folder */
function writeDeclarations(folder) {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  execFileSync(process.execPath, [compiler, '-p', here, ...options], { stdio: 'inherit' })
  for (const name of readdirSync(folder).filter((candidate) => candidate.endsWith('.d.ts'))) {
    const path = join(folder, name)
    // The compiler leaves `./shape.ts` in declarations, where Deno looks for a file of just that name.
    const text = readFileSync(path, 'utf8').replaceAll(
      /((?:from|import\()\s*["']\.[^"']+)\.ts(["'])/g,
      '$1.js$2',
    )
    writeFileSync(path, text)
  }
}

function publishedManifest() {
  const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const { private: _private, scripts: _scripts, ...published } = manifest
  return { ...published, exports: { '.': { types: './client.d.ts', default: './client.js' } } }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await buildClient()
