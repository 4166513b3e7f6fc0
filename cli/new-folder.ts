import { writeFile } from 'node:fs/promises'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'

const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** @throws CommandError for what cannot name a plugin or theme, and its folder */
export function assertName(name: string, example: string): void {
  if (namePattern.test(name)) return
  throw new CommandError(`${name} cannot be its name: use kebab-case, such as ${example}`)
}

/** @throws CommandError if the file is there already, which is then left alone */
export async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new CommandError(`${file} already exists`) : error
  })
}
