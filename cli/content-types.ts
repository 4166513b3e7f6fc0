import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { configService } from '../core-plugins/config/config.ts'
import {
  generateTypes,
  schemasDir,
  schemasService,
  writeEditorSchemas,
} from '../core-plugins/schemas/schemas.ts'
import type { Command } from './command.ts'
import { startSchemas } from './partial-service.ts'

const defaultTypesFile = 'content-types.ts'

export const typesCommand: Command = {
  usage: '[file]',
  summary: `writes TypeScript types of the content (default: ${defaultTypesFile})`,
  async run(project, file = defaultTypesFile) {
    const kernel = await startSchemas(project)
    const path = resolve(project.workingDirectory, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${generateTypes(kernel.get(schemasService))}\n`)
    await kernel.stop()
    return `Wrote ${file}`
  },
}

export const schemaFilesCommand: Command = {
  usage: '',
  summary: 'writes the JSON Schemas by which editors complete and check schema files',
  async run(project) {
    const kernel = await startSchemas(project)
    const directory = resolve(project.workingDirectory, kernel.get(configService).get(schemasDir))
    const written = await writeEditorSchemas(directory, kernel.get(schemasService).fieldTypes)
    await kernel.stop()
    return written.map((path) => `Wrote ${relative(project.workingDirectory, path)}`).join('\n')
  },
}
