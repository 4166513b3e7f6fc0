import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { iconLicence } from '../core-plugins/panel/admin-panel/build/icon-sprite.ts'
import { writeDeclarations } from './declarations.ts'
import { licencesOf } from './licences.ts'
import { manifestOf, readManifest } from './manifest.ts'
import { writePageFiles } from './page-files.ts'
import { writePanel } from './panel.ts'
import { writeScripts } from './scripts.ts'

/*
 *   npm run build -- [--version 1.2.3] [--out dist]
 *
 * Writes the package `mortise` to dist/, ready for `npm pack ./dist`: scripts and declarations of what the four entry
 * points reach, and a package.json of its own.
 */
const root = join(import.meta.dirname, '..')
const documents = ['README.md', 'LICENSE', 'CHANGELOG.md']

async function build(folder: string, version: string | undefined) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { imported, bundled } = await writeScripts(root, folder)
  const ofPanel = await writePanel(folder)
  const ofPages = await writePageFiles(root, folder)
  const source = readManifest(root)
  const manifest = manifestOf(source, { imported, version })
  const declared = writeDeclarations({ root, folder, entryPoints: Object.values(source.exports) })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(
    join(folder, 'THIRD-PARTY-LICENSES.txt'),
    licencesOf(root, [...bundled, ...declared, ...ofPanel, ...ofPages], [iconLicence]),
  )
  for (const name of documents.filter((file) => existsSync(join(root, file)))) {
    cpSync(join(root, name), join(folder, name))
  }
}

const { values } = parseArgs({
  options: { version: { type: 'string' }, out: { type: 'string', default: join(root, 'dist') } },
})
await build(values.out, values.version)
