import { docsService } from '../core-plugins/delivery/docs/docs.ts'
import { defineCoreCommand } from './command.ts'
import { writeDocument } from './document-file.ts'

const defaultFile = 'openapi.json'

export const openapiCommand = defineCoreCommand({
  name: 'openapi',
  summary: 'writes the OpenAPI document of all routes; needs no database',
  example: 'openapi docs/openapi.json',
  arguments: { file: { summary: `where to, - for stdout (default: ${defaultFile})`, isOptional: true } },
  run: ({ project, arguments: { file = defaultFile } }) =>
    writeDocument(project, file, (kernel) => JSON.stringify(kernel.get(docsService).document(), null, 2)),
})
