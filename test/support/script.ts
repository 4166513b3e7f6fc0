import { join } from 'node:path'
import { translatedFile } from '../../core-plugins/foundation/config/config.ts'

/** Memory options of Node are not passed on, so that a tested process has the memory settings of production. */
const isOfMemory = (option: string) => /gc|semi-space/.test(option)

/** The arguments for Node to run a script of the project the way the current process runs. */
export const scriptArguments = (file: string): string[] => [
  ...process.execArgv.filter((option) => !isOfMemory(option)),
  translatedFile(file),
]

/** The script that `npm run mortise` runs. */
export const commandLine = join(import.meta.dirname, '../../launch/bin.mjs')
