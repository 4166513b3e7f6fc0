import { bundleApp, cacheFolder, removeOld } from './build-app.ts'
import { readStored, storePlain } from './stored-app.ts'

/** The message from the build process to its parent. */
export type LiveAnswer = { readonly folder: string } | { readonly problem: string }

/** The folder of the development build for the present sources. */
export const liveFolder = (): string => `${cacheFolder()}-live`

/** Builds into that folder unless it exists. @throws Error with the problem in the sources */
export async function buildLive(): Promise<string> {
  const folder = liveFolder()
  if (readStored(folder) !== undefined) return folder
  const bundle = await bundleApp({ isLive: true })
  // If the sources changed meanwhile, it is unknown which version was bundled.
  if (liveFolder() !== folder) return buildLive()
  storePlain(bundle, folder)
  removeOld(folder)
  return folder
}
