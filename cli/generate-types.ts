import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { addedFieldsOf, type EntryColumns, entryColumns } from '../core-plugins/entries/content/content.ts'
import {
  type ContentType,
  generateTypes,
  schemasService,
} from '../core-plugins/foundation/schemas/schemas.ts'
import { defineCoreCommand } from './command.ts'
import { startSchemas } from './partial-service.ts'

const defaultFile = 'content-types.ts'

export const typesCommand = defineCoreCommand({
  name: 'types',
  summary: 'writes TypeScript types of the content, for the client',
  example: 'types src/content-types.ts',
  arguments: { file: { summary: `where to (default: ${defaultFile})`, isOptional: true } },
  async run({ project, arguments: { file = defaultFile } }) {
    const added: EntryColumns[] = []
    const kernel = await startSchemas(project, ({ contributions }) => {
      added.push(...contributions(entryColumns))
    })
    const columnsOf = (type: ContentType) => addedFieldsOf(added.flatMap((columns) => columns(type)))
    const path = resolve(project.workingDirectory, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${generateTypes(kernel.get(schemasService), columnsOf)}\n`)
    await kernel.stop()
    return `Wrote ${file}`
  },
})
