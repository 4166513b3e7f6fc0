import { relative, resolve } from 'node:path'
import { configService } from '../core-plugins/foundation/config/config.ts'
import { schemasDir, schemasService, writeEditorSchemas } from '../core-plugins/foundation/schemas/schemas.ts'
import { defineCoreCommand } from './command.ts'
import { startSchemas } from './partial-service.ts'

export const schemaFilesCommand = defineCoreCommand({
  name: 'schema-files',
  summary: 'writes the JSON Schemas by which editors complete and check schema files',
  example: 'schema-files',
  async run({ project }) {
    const kernel = await startSchemas(project)
    const directory = resolve(project.workingDirectory, kernel.get(configService).get(schemasDir))
    const written = await writeEditorSchemas(directory, kernel.get(schemasService).fieldTypes)
    await kernel.stop()
    return written.map((path) => `Wrote ${relative(project.workingDirectory, path)}`).join('\n')
  },
})
