import { join } from 'node:path'
import { translatedFile } from '../../core-plugins/foundation/config/config.ts'

/** The memory of a process that is tested is that of a process in production. */
const isOfMemory = (option: string) => /gc|semi-space/.test(option)

/** The arguments for Node to run a script of the project the way the current process runs. */
export const scriptArguments = (file: string): string[] => [
  ...process.execArgv.filter((option) => !isOfMemory(option)),
  translatedFile(file),
]

/** What Node runs for `npm run mortise`. */
export const commandLine = join(import.meta.dirname, '../../launch/bin.mjs')
