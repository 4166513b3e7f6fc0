import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { ensureDotEnv } from '../core-plugins/foundation/config/config.ts'
import { defineCoreCommand } from './command.ts'
import { sourceFolders } from './source-folders.ts'

export const initCommand = defineCoreCommand({
  name: 'init',
  summary:
    'makes what a project lacks: .env with a new secret, and the folders for schemas, plugins and themes',
  example: 'init',
  async run({ project: { workingDirectory, env } }) {
    const made: string[] = []
    if (await ensureDotEnv({ workingDirectory })) made.push('.env')
    for (const folder of await sourceFolders({ workingDirectory, env })) {
      const path = resolve(workingDirectory, folder)
      if (existsSync(path)) continue
      await mkdir(path, { recursive: true })
      made.push(`${relative(workingDirectory, path)}/`)
    }
    return made.length === 0 ? 'Everything is there already' : `Made ${made.join(', ')}`
  },
})
