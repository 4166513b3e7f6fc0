import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tokensFile } from '../../../foundation/bundling/bundling.ts'

/** The sources of the browser application. The published package does not contain them: there, the application is prebuilt. */
export const appFolder = join(import.meta.dirname, '../app')

/** The folder of the service. */
export const rootFolder = join(import.meta.dirname, '../../../..')

/** All source folders of the application. */
export const sourceFolders = [appFolder, import.meta.dirname, dirname(tokensFile), join(rootFolder, 'client')]

/** Whether there are sources to build from. */
export const hasSources = () => existsSync(join(appFolder, 'main.tsx'))

/** A hash of the sources and of the packages that they use. */
export function hashOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(join(rootFolder, 'package-lock.json')))
  for (const file of sourceFolders.flatMap(filesIn)) hash.update(`\n${file}\n`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** All files below a folder, in a fixed order. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
