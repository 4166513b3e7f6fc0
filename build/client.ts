import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

/*
 *   npm run build -w mortise-client [-- --out folder]
 *
 * Writes the package mortise-client as it is published to client/dist, ready for `npm pack ./client/dist`: its scripts,
 * declarations, and a package.json of its own, since in the repository `mortise-client` is the source.
 */
const root = join(import.meta.dirname, '..')
const client = join(root, 'client')

/** Parts that frontends do not use are separate from the client, and so are parts that many do not need. */
const entries = ['client', 'admin', 'images', 'preview']

async function buildClient(folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: entries.map((name) => join(client, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  })
  writeClientDeclarations(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  cpSync(join(client, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** @throws Error if the sources do not compile, after the compiler has printed why */
function writeClientDeclarations(folder: string) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  execFileSync(process.execPath, [compiler, '-p', client, ...options], { stdio: 'inherit' })
  for (const name of readdirSync(folder).filter((candidate) => candidate.endsWith('.d.ts'))) {
    const path = join(folder, name)
    // The compiler leaves `./shape.ts` in declarations, where Deno would look for a file with exactly that name.
    const text = readFileSync(path, 'utf8').replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'")
    writeFileSync(path, text)
  }
}

function publishedManifest() {
  const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))
  const { private: _private, scripts: _scripts, ...published } = manifest
  const exported = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  return {
    ...published,
    exports: Object.fromEntries(
      entries.map((name) => [name === 'client' ? '.' : `./${name}`, exported(name)] as const),
    ),
  }
}

const { values } = parseArgs({ options: { out: { type: 'string', default: join(client, 'dist') } } })
await buildClient(values.out)
