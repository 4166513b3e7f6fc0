import { join } from 'node:path'
import { bundleApp } from '../core-plugins/panel/admin-panel/build/build-app.ts'
import { store } from '../core-plugins/panel/admin-panel/build/stored-app.ts'

/**
 * Writes the built admin panel into the package, so that users need neither its sources nor React.
 * @returns the files of other packages that have become part of it
 */
export async function writePanel(folder: string): Promise<string[]> {
  const bundle = await bundleApp({ isLive: false })
  await store(bundle, join(folder, 'core-plugins/panel/admin-panel/built'))
  return bundle.inputs.filter((path) => path.includes('node_modules/'))
}
