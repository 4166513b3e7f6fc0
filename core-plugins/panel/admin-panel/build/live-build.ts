import { bundleApp, cacheFolder, removeOld } from './build-app.ts'
import { readStored, storePlain } from './stored-app.ts'

/** What a build answers to the process that has asked for it. */
export type LiveAnswer = { readonly folder: string } | { readonly problem: string }

/** Where the application for development is kept, of the sources as they are now. */
export const liveFolder = (): string => `${cacheFolder()}-live`

/** Builds it there, unless that has been done. @throws Error what is wrong with the sources */
export async function buildLive(): Promise<string> {
  const folder = liveFolder()
  if (readStored(folder) !== undefined) return folder
  const bundle = await bundleApp({ isLive: true })
  // Of sources that have changed meanwhile, nobody knows which were bundled.
  if (liveFolder() !== folder) return buildLive()
  storePlain(bundle, folder)
  removeOld(folder)
  return folder
}
