import { translatedFile } from '../../core-plugins/config/config.ts'

/** What to start Node with, so that it runs a script of the project in the way in which the present process runs. */
export const scriptArguments = (file: string): string[] => [...process.execArgv, translatedFile(file)]
