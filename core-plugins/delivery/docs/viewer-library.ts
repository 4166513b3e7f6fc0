import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The files of swagger-ui-dist that the viewer needs. */
export const libraryFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const

/**
 * The folder in which `npm run build` stores the files. The package does not depend on swagger-ui-dist, since one of its
 * dependencies reports each installation.
 */
const builtFolder = join(import.meta.dirname, 'built')

export const readLibraryFile = (name: (typeof libraryFiles)[number]): Promise<string> =>
  readFile(join(existsSync(builtFolder) ? builtFolder : libraryFolder(), name), 'utf8')

/** @throws Error if swagger-ui-dist is not installed */
export const libraryFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
