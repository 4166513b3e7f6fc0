import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { libraryFiles, libraryFolder } from '../core-plugins/delivery/docs/viewer-library.ts'
import { bundlePlayground } from '../core-plugins/delivery/graphql/playground/bundle.ts'

/**
 * Writes the scripts and styles of the other pages into the package: those of the GraphQL playground and of the API
 * document's viewer.
 * @returns the files of other packages that have become part of it
 */
export async function writePageFiles(root: string, folder: string): Promise<string[]> {
  // The viewer's script refers to the file with the licences of its contents.
  const viewer = [...libraryFiles, 'swagger-ui-bundle.js.LICENSE.txt'].map((name) =>
    join(libraryFolder(), name),
  )
  const viewerFolder = madeFolder(folder, 'core-plugins/delivery/docs/built')
  for (const path of viewer) cpSync(path, join(viewerFolder, path.slice(libraryFolder().length)))
  const { files, inputs } = await bundlePlayground()
  const playgroundFolder = madeFolder(folder, 'core-plugins/delivery/graphql/playground/built')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(playgroundFolder, name), text)
  return [
    ...viewer,
    ...inputs.filter((path) => path.includes('node_modules/')).map((path) => join(root, path)),
  ]
}

function madeFolder(folder: string, path: string): string {
  const made = join(folder, path)
  mkdirSync(made, { recursive: true })
  return made
}
