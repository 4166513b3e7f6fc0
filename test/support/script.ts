import { translatedFile } from '../../core-plugins/config/config.ts'

/** The arguments for Node to run a script of the project the way the current process runs. */
export const scriptArguments = (file: string): string[] => [...process.execArgv, translatedFile(file)]
