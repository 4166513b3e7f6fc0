import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The files of swagger-ui-dist that the viewer consists of. */
export const libraryFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const

/**
 * Where `npm run build` puts them in the package: whoever installs that does not install swagger-ui-dist, which has a
 * dependency that reports each installation to others.
 */
const builtFolder = join(import.meta.dirname, 'built')

export const readLibraryFile = (name: (typeof libraryFiles)[number]): Promise<string> =>
  readFile(join(existsSync(builtFolder) ? builtFolder : libraryFolder(), name), 'utf8')

/** @throws Error if swagger-ui-dist is not installed */
export const libraryFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
